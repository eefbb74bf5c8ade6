package io.dynims.chaos;

/** Something that goes wrong with the stack, from just before a burst until after it. */
interface Fault {

  /** Makes it. */
  void begin(ChaosStack stack) throws Exception;

  /** Called once, when the burst has reached half of its peak. */
  default void atHalfOfTheBurst(ChaosStack stack) throws Exception {}

  /** Ends it, and starts again what a supervisor would start again. */
  void end(ChaosStack stack) throws Exception;

  /** A fault of two actions. */
  static Fault of(Action begin, Action end) {
    return new Fault() {
      @Override
      public void begin(ChaosStack stack) throws Exception {
        begin.on(stack);
      }

      @Override
      public void end(ChaosStack stack) throws Exception {
        end.on(stack);
      }
    };
  }

  /** One action on the stack. */
  interface Action {
    void on(ChaosStack stack) throws Exception;
  }

  /** The same fault, and an action at half of the burst. */
  default Fault andAtHalf(Action action) {
    Fault fault = this;
    return new Fault() {
      @Override
      public void begin(ChaosStack stack) throws Exception {
        fault.begin(stack);
      }

      @Override
      public void atHalfOfTheBurst(ChaosStack stack) throws Exception {
        action.on(stack);
      }

      @Override
      public void end(ChaosStack stack) throws Exception {
        fault.end(stack);
      }
    };
  }
}
