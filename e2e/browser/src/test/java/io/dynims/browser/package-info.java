/** Tests of the page in a real browser. */
package io.dynims.browser;
