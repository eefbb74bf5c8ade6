/** What the first DynIMS did with samples before it decided; for comparisons. */
package io.dynims.prototype;
