package io.dynims.controller.push;

/**
 * What this controller may do with a tier.
 *
 * @param kind whether it pushes, and how it comes to know the tier otherwise
 * @param controller its name, for the adapter; null if there is no other
 * @param term since when it has the tier, greater than the term of the controller before; null if
 *     there is no other
 */
public record Tenure(Kind kind, String controller, Long term) {

  enum Kind {
    /** It pushes; where there are others, until another controller's term begins. */
    Pushing,
    /** It only polls, ready to take over. */
    Standby,
    /** Another controller pushes, and tells what matters in targets. */
    Others
  }

  /** It pushes, and no other controller does. */
  public static final Tenure SOLE = new Tenure(Kind.Pushing, null, null);

  /** It only polls, ready to take over. */
  public static final Tenure STANDBY = new Tenure(Kind.Standby, null, null);

  /** Another controller pushes, or none does yet. */
  public static final Tenure OTHERS = new Tenure(Kind.Others, null, null);

  /** It pushes, among other controllers that push to other tiers. */
  public static Tenure of(String controller, long term) {
    return new Tenure(Kind.Pushing, controller, term);
  }

  /** Whether to push, or only to poll. */
  public boolean pushes() {
    return kind == Kind.Pushing;
  }

  /** Whether another controller pushes to the tier. */
  public boolean isOthers() {
    return kind == Kind.Others;
  }
}
