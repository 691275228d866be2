/** What is learnt from use. Nothing of it sends anything out or changes what the docs say. */
export interface LearningSettings {
  /** Whether what was judged of extraction rules moves the confidence of their edges. */
  readonly rules: boolean;
  /** Whether ways that are walked again and again are proposed in review. */
  readonly paths: boolean;
}

/** As measured, see docs/evaluation.md. */
export const DEFAULT_LEARNING_SETTINGS: LearningSettings = { rules: false, paths: true };
