/** When to skip messages of which only the newest count. */
package io.dynims.runtime.backlog;
