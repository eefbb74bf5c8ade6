package io.dynims.experiments.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.experiments.demo.LoadProfile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaperPlanTest {

  private static final HpccLoad LOAD = new HpccLoad("hpcc", LoadProfile.startingAt(0), 3);

  private static final List<DataJob> ALL = List.of(DataJob.values());

  private static PaperPlan plan(boolean quick, String... figures) {
    PaperScale scale = quick ? PaperScale.QUICK : PaperScale.FULL;
    return new PaperPlan(scale, quick, 3, LOAD, ALL, List.of(figures));
  }

  @Test
  void figure5RunsKMeansThreeTimesAndTheOtherJobsOnceInEverySetup() {
    List<RunSpec> specs = plan(false, "5").specs();

    // And once with equation 1.
    assertThat(specs).hasSize(4 * (3 + 3) + 1).doesNotHaveDuplicates();
  }

  @Test
  void figure5CanHaveFewerJobs() {
    PaperPlan plan =
        new PaperPlan(PaperScale.FULL, false, 3, LOAD, List.of(DataJob.Svm), List.of("5"));

    assertThat(plan.jobs()).containsExactly(DataJob.KMeans, DataJob.Svm);
    assertThat(plan.specs()).hasSize(4 * (3 + 1) + 1);
  }

  @Test
  void besideHpccItselfIsARunOfItsOwn() {
    HpccRun hpcc = new HpccRun(Path.of("run-hpcc"), Path.of("hpcc"), 24_000, 3);
    RunSpec spec = plan(false, "hpcc").besideHpcc(MemorySetup.Elastic, hpcc);

    assertThat(spec.id()).contains("hpcc-itself-24000-after-3");
    assertThat(plan(false, "5", "hpcc").specs()).doesNotContain(spec);
  }

  @Test
  void theQuickFormRunsOneJobOnce() {
    PaperPlan plan = new PaperPlan(PaperScale.QUICK, true, 1, LOAD, ALL, List.of("8"));

    assertThat(plan.specs())
        .hasSize(4)
        .allMatch(spec -> spec.iterations() == 2)
        .allMatch(spec -> spec.job() == DataJob.KMeans);
  }

  @Test
  void figure6GoesFromWhatFitsEverywhereToMoreThanTheElasticTier() {
    List<Long> sizes = plan(false, "6").dataSizes();

    assertThat(sizes).hasSize(5).isSorted();
    assertThat(sizes.get(0)).isLessThan(PaperScale.FULL.staticTierBytes());
    assertThat(sizes.get(4)).isGreaterThan(PaperScale.FULL.elasticTierBytes());
    assertThat(sizes).contains(PaperScale.FULL.dataBytes());
  }

  @Test
  void everythingFitsANodeAtThePeakOfHpcc() {
    PaperScale scale = PaperScale.FULL;
    long others = scale.hpccPeakBytes() + PaperScale.FIXED_BYTES;

    assertThat(scale.sparkHeapBytes() + scale.staticTierBytes() + others)
        .isLessThan(scale.memoryBytes());
    assertThat(scale.cachingHeapBytes() + others).isLessThan(scale.memoryBytes());
    assertThat(scale.sparkHeapBytes() + scale.elasticTierBytes() + others)
        .isGreaterThan(scale.memoryBytes());
  }

  @Test
  void anUnknownFigureIsRefused() {
    assertThatThrownBy(() -> plan(false, "9"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'9' is not one of");
  }
}
