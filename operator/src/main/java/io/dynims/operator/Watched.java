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
 * The resources of one kind, reduced to what counts and kept up to date by a watch. While the API
 * server is away its last word stands.
 *
 * @param <T> the resource
 * @param <V> what counts about it
 */
final class Watched<T extends HasMetadata, V> implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(Watched.class);

  private final Map<String, V> values = new ConcurrentHashMap<>();
  private final String plural;
  private final SharedIndexInformer<T> informer;
  private final Function<T, V> reader;
  private final Runnable onChange;
  private volatile String failure = "were not listed yet";

  /**
   * Starts to watch.
   *
   * @param reader what counts about a resource; null where nothing does
   * @param onChange called on any thread when a value came, changed or went
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
   * Takes the values where the informer stores the resources: its handlers are called later, on
   * another thread, so that a list that was stored would not yet be one that was handled.
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
    LOG.warn("{} cannot be watched, trying again: {}", plural, cause.getMessage());
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

  /** Why nothing is known; empty once the resources were listed. */
  String failure() {
    return failure.isEmpty() ? "" : plural + " " + failure;
  }

  private void put(String key, T resource) {
    V value;
    try {
      value = reader.apply(resource);
    } catch (RuntimeException e) {
      LOG.error("{} of {} cannot be read; what it said last stays", key, plural, e);
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
