package io.dynims.controller.api;

import io.dynims.core.auth.TokenFile;
import java.util.Optional;

/**
 * Who may change something by the REST API. Nobody may without a token, wherever the server
 * listens.
 *
 * @param rest who may read; whoever has one of its tokens may change, too
 * @param adapters the tokens that adapters ask for: who may resize a tier may also give hints
 */
record ChangeAccess(RestAccess rest, Optional<TokenFile> adapters) {

  /**
   * Whether a request carries a token that allows changes.
   *
   * @param authorization the header's value; null if there is none
   */
  boolean allows(String authorization) {
    return (rest.tokens().isPresent() && rest.allows("", authorization))
        || adapters.map(file -> file.accepts(authorization)).orElse(false);
  }

  /**
   * Refuses a request without such a token.
   *
   * @throws ApiException 401, or 403 if this controller has no token that could be given
   */
  void require(String authorization) {
    if (allows(authorization)) {
      return;
    }
    if (rest.tokens().isEmpty() && adapters.isEmpty()) {
      throw ApiException.forbidden(
          "nobody may change anything here, as the controller has neither http.token.file nor"
              + " push.token.file");
    }
    throw ApiException.unauthorized(
        "a change needs a token of http.token.file or push.token.file: as 'Authorization: Bearer"
            + " TOKEN'");
  }
}
