/** What the deployables are made of, and under which licences. */
package io.dynims.sbom;
