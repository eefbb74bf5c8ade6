package io.dynims.operator;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.ReducedStateItemStore;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The resources of one kind, reduced to their relevant properties and updated by a watch. If the
 * API server is down, the last known configuration stays in effect.
 *
 * @param <T> the resource
 * @param <V> its relevant properties
 */
final class Watched<T extends HasMetadata, V> implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(Watched.class);

  private final Map<String, V> values = new ConcurrentHashMap<>();
  private final String plural;
  private final SharedIndexInformer<T> informer;
  private final Function<T, V> reader;
  private final Runnable onChange;
  private volatile String failure = "have not been listed yet";

  /**
   * Starts to watch.
   *
   * @param reader extracts the relevant properties of a resource; null to ignore the resource
   * @param onChange called on any thread after a value was added, changed or removed
   */
  Watched(
      KubernetesClient client,
      Class<T> type,
      String plural,
      SharedIndexInformer<T> informer,
      Function<T, V> reader,
      Runnable onChange) {
    this.plural = plural;
    this.informer = informer;
    this.reader = reader;
    this.onChange = onChange;
    informer.itemStore(new Reducing(client, type));
    informer.exceptionHandler(this::failed);
    var unusedFuture = informer.start().thenRun(this::listed);
  }

  /**
   * Reads the values when the informer stores the resources. Its event handlers run later on
   * another thread, so they may not have handled a list that is already stored.
   */
  private final class Reducing extends ReducedStateItemStore<T> {

    Reducing(KubernetesClient client, Class<T> type) {
      super(NAME_KEY_STATE, type, client.getKubernetesSerialization());
    }

    @Override
    public T put(String key, T resource) {
      T before = super.put(key, resource);
      Watched.this.put(key, resource);
      return before;
    }

    @Override
    public T remove(String key) {
      T before = super.remove(key);
      if (values.remove(key) != null) {
        onChange.run();
      }
      return before;
    }
  }

  private boolean failed(boolean started, Throwable cause) {
    LOG.warn("cannot watch {}, retrying: {}", plural, cause.getMessage());
    if (!started) {
      failure = "cannot be listed: " + cause.getMessage();
    }
    return true;
  }

  private void listed() {
    failure = "";
    onChange.run();
  }

  Collection<V> values() {
    return List.copyOf(values.values());
  }

  /** Why the resources have not been listed yet; empty once they have been. */
  String failure() {
    return failure.isEmpty() ? "" : plural + " " + failure;
  }

  private void put(String key, T resource) {
    V value;
    try {
      value = reader.apply(resource);
    } catch (RuntimeException e) {
      LOG.error("cannot read {} of {}; its last valid version stays in effect", key, plural, e);
      return;
    }
    V before = value == null ? values.remove(key) : values.put(key, value);
    if (value == null ? before != null : !value.equals(before)) {
      onChange.run();
    }
  }

  @Override
  public void close() {
    informer.close();
  }
}
