/** Makes the tier of a stock Alluxio worker elastic by reserving space in it: a balloon. */
package io.dynims.adapter;
