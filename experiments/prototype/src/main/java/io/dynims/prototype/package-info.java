/** The windows of the first DynIMS in front of the decision, for comparison. */
package io.dynims.prototype;
