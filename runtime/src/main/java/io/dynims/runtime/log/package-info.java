/** What keeps logs short. */
package io.dynims.runtime.log;
