/** Which of several controllers serves which partitions of the target topic. */
package io.dynims.controller.share;
