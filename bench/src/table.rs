//! Text tables, and statistics of repeated measurements.

use serde::Serialize;

/// Time of a stage, in milliseconds.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Figure {
    pub stage: &'static str,
    pub median_ms: f64,
    pub p95_ms: f64,
}

impl Figure {
    /// Computes the statistics of repeated measurements in milliseconds.
    pub fn of(stage: &'static str, samples: &[f64]) -> Self {
        Self { stage, median_ms: quantile(samples, 0.5), p95_ms: quantile(samples, 0.95) }
    }
}

/// Prints rows under their heads: numbers right-aligned, everything else left-aligned.
pub fn print(heads: &[&str], rows: &[Vec<String>]) {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([heads[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let figures = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).all(|cell| cell.starts_with(|c: char| c.is_ascii_digit()))
    };
    let right: Vec<bool> = (0..heads.len()).map(figures).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut out = String::new();
        for (column, (cell, width)) in cells.zip(&widths).enumerate() {
            out += if column == 0 { "" } else { "  " };
            out += &if right[column] { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
        }
        println!("{}", out.trim_end());
    };
    line(&mut heads.iter().copied());
    for row in rows {
        line(&mut row.iter().map(String::as_str));
    }
}

/// Returns the value that a share `q` (0–1) of the samples does not exceed, by nearest rank. Returns 0 without samples.
pub fn quantile(samples: &[f64], q: f64) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (q * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::quantile;

    #[test]
    fn quantiles_are_nearest_ranks() {
        let samples = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(&samples, 0.5), 2.0);
        assert_eq!(quantile(&samples, 0.95), 4.0);
        assert_eq!(quantile(&samples, 0.0), 1.0);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }
}
