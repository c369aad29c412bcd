//! Labels along an axis: which of them have room, and how labels that are too close move apart.

/// Intervals between labels to try: steps that are easy to count along months, quarters and years.
const EVERY: [usize; 12] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30];

/// Returns which labels to show, always including the first: as many as keep the distance `gap`. Labels are centred at
/// places with the distance `pitch`.
pub(crate) fn thinned(widths: &[f32], pitch: f32, gap: f32) -> Vec<usize> {
    let every = |step: usize| (0..widths.len()).step_by(step);
    let apart = |step: usize| {
        let shown: Vec<f32> = every(step).map(|i| widths[i]).collect();
        shown.windows(2).all(|w| (w[0] + w[1]) / 2.0 + gap <= pitch * step as f32)
    };
    let step = EVERY.into_iter().find(|step| apart(*step)).unwrap_or(widths.len().max(1));
    every(step).collect()
}

/// Moves the centres of labels of these heights as little as necessary to keep them apart and between `low` and `high`.
/// If they don't all fit, they extend beyond `high`.
pub(crate) fn spread(wanted: &[f32], heights: &[f32], low: f32, high: f32) -> Vec<f32> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut at = wanted.to_vec();
    let mut above = high;
    for i in order.iter().rev() {
        at[*i] = at[*i].min(above - heights[*i] / 2.0);
        above = at[*i] - heights[*i] / 2.0;
    }
    let mut below = low;
    for i in &order {
        at[*i] = at[*i].max(below + heights[*i] / 2.0);
        below = at[*i] + heights[*i] / 2.0;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_thinned_until_they_have_room() {
        assert_eq!(thinned(&[60.0; 6], 100.0, 20.0), [0, 1, 2, 3, 4, 5]);
        assert_eq!(thinned(&[70.0; 6], 50.0, 20.0), [0, 2, 4]);
        assert_eq!(thinned(&[90.0; 40], 20.0, 20.0), [0, 6, 12, 18, 24, 30, 36]);
        assert_eq!(thinned(&[900.0; 40], 20.0, 20.0), [0]);
        assert!(thinned(&[], 20.0, 20.0).is_empty());
    }

    #[test]
    fn labels_keep_apart() {
        assert_eq!(spread(&[50.0, 200.0], &[40.0, 40.0], 0.0, 300.0), [50.0, 200.0]);
        assert_eq!(spread(&[100.0, 100.0], &[40.0, 40.0], 0.0, 300.0), [60.0, 100.0]);
        assert_eq!(spread(&[10.0, 5.0], &[40.0, 40.0], 0.0, 300.0), [60.0, 20.0]);
        assert_eq!(spread(&[295.0, 290.0, 300.0], &[40.0; 3], 0.0, 300.0), [240.0, 200.0, 280.0]);
        assert!(spread(&[], &[], 0.0, 1.0).is_empty());
    }
}
