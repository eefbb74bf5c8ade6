package io.dynims.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.dynims.operator.v1alpha1.MemoryTier;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The resource definition in the chart is generated from the Java types. To update it: {@code
 * ./mvnw test -pl operator -am -Dtest=DefinitionTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Ddefinition.write=true}.
 */
class DefinitionTest {

  private static final Path IN_CHART =
      Path.of("..", "charts", "dynims", "files", "memorytiers.dynims.io.yaml");

  @TempDir private Path folder;

  @Test
  void theChartContainsTheGeneratedDefinition() throws IOException {
    String generated = generate();
    if (Boolean.getBoolean("definition.write")) {
      Files.createDirectories(IN_CHART.getParent());
      Files.writeString(IN_CHART, generated);
    }
    assertThat(IN_CHART).content().isEqualTo(generated);
  }

  @Test
  void everyFieldHasADescription() throws IOException {
    var definition =
        new KubernetesSerialization().unmarshal(generate(), CustomResourceDefinition.class);
    JSONSchemaProps schema =
        definition.getSpec().getVersions().get(0).getSchema().getOpenAPIV3Schema();
    describe("spec", schema.getProperties().get("spec"));
    describe("status", schema.getProperties().get("status"));
  }

  private static void describe(String path, JSONSchemaProps schema) {
    assertThat(schema.getDescription()).as(path).isNotBlank();
    JSONSchemaProps holder =
        schema.getItems() != null && schema.getItems().getSchema().getProperties() != null
            ? schema.getItems().getSchema()
            : schema;
    Map<String, JSONSchemaProps> fields =
        holder.getProperties() == null ? Map.of() : holder.getProperties();
    fields.forEach((name, field) -> describe(path + "." + name, field));
  }

  private String generate() throws IOException {
    new CRDGenerator()
        .customResourceClasses(MemoryTier.class)
        .withPostProcessor(new Completion())
        .inOutputDir(folder.toFile())
        .generate();
    return Files.readString(folder.resolve("memorytiers.dynims.io-v1.yml"));
  }

  /** Adds what the generator has no annotations for. */
  private static final class Completion implements CRDPostProcessor {

    private static final List<String> COLUMNS =
        List.of("Mode", "Nodes", "Ready", "Capacity", "Used", "Reason", "Age");

    @Override
    public HasMetadata process(HasMetadata generated, String version) {
      var definition = (CustomResourceDefinition) generated;
      definition.getSpec().getNames().setCategories(List.of("dynims"));
      var v1alpha1 = definition.getSpec().getVersions().get(0);
      v1alpha1
          .getAdditionalPrinterColumns()
          .sort(Comparator.comparing(column -> COLUMNS.indexOf(column.getName())));
      JSONSchemaProps schema = v1alpha1.getSchema().getOpenAPIV3Schema();
      schema.setDescription("An in-memory storage tier on a set of nodes, and how to size it.");
      schema.setRequired(List.of("spec"));
      describe(field(schema, "spec"), "The desired state.");
      JSONSchemaProps capacity = field(schema, "spec", "capacity");
      List.of("min", "max").forEach(name -> field(capacity, name).setMaxLength(32L));
      JSONSchemaProps law = field(schema, "spec", "law");
      List.of("headStart", "reserve", "maxGrow", "maxShrink")
          .forEach(name -> field(law, name).setMaxLength(32L));
      field(schema, "spec", "guard", "fallbackCapacity").setMaxLength(32L);
      completeSelector(field(schema, "spec", "nodes", "selector"));
      completeStatus(field(schema, "status"));
      return definition;
    }

    private static void completeSelector(JSONSchemaProps selector) {
      describe(field(selector, "matchLabels"), "Labels and values that a node must have.");
      JSONSchemaProps expressions = field(selector, "matchExpressions");
      describe(expressions, "Requirements on a node's labels, all of which must be met.");
      JSONSchemaProps expression = expressions.getItems().getSchema();
      expression.setRequired(List.of("key", "operator"));
      describe(field(expression, "key"), "Name of the label.");
      describe(field(expression, "operator"), "Operator of the comparison.");
      field(expression, "operator")
          .setEnum(
              Stream.of("In", "NotIn", "Exists", "DoesNotExist")
                  .<JsonNode>map(TextNode::new)
                  .toList());
      describe(field(expression, "values"), "Values for In and NotIn.");
    }

    private static void completeStatus(JSONSchemaProps status) {
      describe(status, "The observed state, written by the leading controller.");
      field(status, "observedGeneration").setFormat("int64");
      JSONSchemaProps capacity = field(status, "capacity");
      List.of("desiredBytes", "capacityBytes", "usedBytes")
          .forEach(name -> field(capacity, name).setFormat("int64"));
      JSONSchemaProps conditions = field(status, "conditions");
      conditions.setXKubernetesListType("map");
      conditions.setXKubernetesListMapKeys(List.of("type"));
      JSONSchemaProps condition = conditions.getItems().getSchema();
      condition.setRequired(List.of("type", "status", "reason", "message", "lastTransitionTime"));
      describe(field(condition, "type"), "Ready, MetricsFresh, Enforcing or Guarded.");
      describe(field(condition, "status"), "True, False or Unknown.");
      describe(field(condition, "reason"), "The reason in one word.");
      describe(field(condition, "message"), "The reason in a sentence.");
      describe(
          field(condition, "observedGeneration"), "The generation that this condition describes.");
      describe(field(condition, "lastTransitionTime"), "When the status last changed.");
      field(condition, "lastTransitionTime").setFormat("date-time");
      field(condition, "observedGeneration").setFormat("int64");
    }

    private static void describe(JSONSchemaProps schema, String description) {
      schema.setDescription(description);
    }
  }

  private static JSONSchemaProps field(JSONSchemaProps schema, String... path) {
    JSONSchemaProps found = schema;
    for (String name : path) {
      found = found.getProperties().get(name);
    }
    return found;
  }
}
