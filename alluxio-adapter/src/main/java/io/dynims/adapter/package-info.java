/** Makes the tier of a stock Alluxio worker elastic by holding space in it back: a balloon. */
package io.dynims.adapter;
