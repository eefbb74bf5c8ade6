package io.dynims.adapter;

/** Opens reservations in a store. */
interface Reserver {

  /** Opens an empty reservation; does not wait for the store. */
  Reservation open();
}
