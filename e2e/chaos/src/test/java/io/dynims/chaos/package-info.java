/** What a burst does to a node while a part of the real loop fails. */
package io.dynims.chaos;
