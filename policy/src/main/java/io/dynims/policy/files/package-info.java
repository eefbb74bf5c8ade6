/** Feeds the policy model from YAML files. */
package io.dynims.policy.files;
