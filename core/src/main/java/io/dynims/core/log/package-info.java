/** What keeps logs short. */
package io.dynims.core.log;
