/** What the job does before it asks the law; its decoder is visible here alone. */
package io.dynims.flink;
