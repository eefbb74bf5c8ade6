/** An adapter in one file, for those who write their own; see docs/write-an-adapter.md. */
package io.dynims.sample;
