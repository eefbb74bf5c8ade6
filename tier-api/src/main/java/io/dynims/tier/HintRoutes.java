package io.dynims.tier;

import static io.dynims.tier.TierRoutes.problem;

import io.dynims.core.wire.Hint;
import io.dynims.core.wire.WireException;
import io.dynims.tier.TierRoutes.Answer;
import io.dynims.tier.TierRoutes.Request;
import java.util.List;

/** Answers requests for the hints of the node. */
final class HintRoutes {

  private static final String OWNER = "owner=";

  private final LeasedTier tier;

  HintRoutes(LeasedTier tier) {
    this.tier = tier;
  }

  /** All hints. */
  Answer list() {
    return answer(tier.hints());
  }

  /** Gives or withdraws one. */
  Answer change(Request request) {
    try {
      return answer(
          request.method().equals("POST")
              ? tier.putHint(TierApi.HINT.decode(request.body()))
              : tier.removeHint(owner(request.query())));
    } catch (WireException e) {
      return problem("Invalid request", 400, e.getMessage(), e.field());
    } catch (IllegalArgumentException e) {
      String why = e.getMessage();
      return problem("Invalid request", 400, why, why.substring(0, why.indexOf(':')));
    } catch (MisdirectedException e) {
      return problem("Misdirected request", 421, e.getMessage(), e.field());
    } catch (TooManyHintsException e) {
      return problem("Too many hints", 409, e.getMessage(), null);
    }
  }

  private static String owner(String query) {
    boolean given = query != null && query.startsWith(OWNER);
    String owner = given ? query.substring(OWNER.length()) : null;
    Hint.checkOwner(owner);
    return owner;
  }

  private static Answer answer(List<Hint> hints) {
    return new Answer(200, TierRoutes.JSON, TierApi.HINTS.encode(new NodeHints(hints)));
  }
}
