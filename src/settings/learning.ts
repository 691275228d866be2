/** What is learnt from use. Learning never sends anything out, and never changes what the docs say. */
export interface LearningSettings {
  /** Whether judgements on extraction rules change the confidence of their edges. */
  readonly rules: boolean;
  /** Whether paths that are walked again and again are proposed in review. */
  readonly paths: boolean;
}

/** Chosen by measurements, see docs/evaluation.md. */
export const DEFAULT_LEARNING_SETTINGS: LearningSettings = { rules: false, paths: true };
