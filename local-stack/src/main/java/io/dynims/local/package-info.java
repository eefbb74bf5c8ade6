/** What the programs of one machine need from each other: free ports, certificates, an end. */
package io.dynims.local;
