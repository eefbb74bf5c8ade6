package io.dynims.adapter;

/** Where space can be held back from a store. */
interface Reserver {

  /** A reservation that holds nothing yet; does not wait for the store. */
  Reservation open();
}
