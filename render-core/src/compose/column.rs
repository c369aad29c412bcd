//! A column of texts that share one height: all are set between their smallest and largest size by one factor, so the
//! hierarchy between them stays while the column grows to fill its height.

use super::setter::{Set, Setter, Spec};

/// Texts one under the other. Gaps reach from the baseline above to the cap line below.
#[derive(Debug, Clone, Default)]
pub(super) struct Column<'a> {
    texts: Vec<(f32, Spec<'a>)>,
    /// The share of the width that the first text may take, where that isn't all.
    first: Option<f32>,
}

/// A column that has its sizes.
#[derive(Debug, Clone, Default)]
pub(super) struct Stack<'a> {
    /// Cap line of each text from the column's top, and the text.
    pub texts: Vec<(f32, Set<'a>)>,
    /// From the first cap line to the last baseline.
    pub height: f32,
    /// From the first cap line to the lowest ink.
    pub depth: f32,
    /// Whether every text fits, and all of them the height.
    pub fits: bool,
}

/// Halvings of the search for the factor: enough for a twentieth of a du.
const STEPS: u32 = 6;

impl<'a> Column<'a> {
    /// Adds a text, `gap` du under the one before it.
    pub fn text(mut self, gap: f32, spec: Spec<'a>) -> Self {
        self.texts.push((gap, spec));
        self
    }

    /// Adds a text where there is one.
    pub fn maybe(self, gap: f32, spec: Option<Spec<'a>>) -> Self {
        match spec {
            Some(spec) => self.text(gap, spec),
            None => self,
        }
    }

    /// With its first text in a share of the width.
    pub fn first_in(self, share: f32) -> Self {
        Self { first: Some(share), ..self }
    }

    /// Sets the column in `width` × `height`.
    pub fn solve(&self, setter: &Setter<'a>, width: f32, height: f32) -> Stack<'a> {
        let full = self.at(setter, width, 1.0);
        if full.depth <= height {
            return full;
        }
        let (mut low, mut high) = (0.0, 1.0);
        let mut best = self.at(setter, width, 0.0);
        if best.depth > height {
            return Stack { fits: false, ..best };
        }
        for _ in 0..STEPS {
            let mid = (low + high) / 2.0;
            let tried = self.at(setter, width, mid);
            if tried.depth <= height {
                low = mid;
                best = tried;
            } else {
                high = mid;
            }
        }
        best
    }

    /// The column with every largest size at `t` of its range.
    fn at(&self, setter: &Setter<'a>, width: f32, t: f32) -> Stack<'a> {
        let mut y = 0.0;
        let mut texts: Vec<(f32, Set<'a>)> = Vec::with_capacity(self.texts.len());
        let mut fits = true;
        for (i, (gap, spec)) in self.texts.iter().enumerate() {
            let (min, max) = spec.range;
            let width = width * self.first.filter(|_| i == 0).unwrap_or(1.0);
            let set = setter.set(spec.clone().range(min, min + (max - min) * t), width);
            if i > 0 {
                y += gap;
            }
            fits &= set.fits;
            let height = set.height();
            texts.push((y, set));
            y += height;
        }
        let below = texts.last().map_or(0.0, |(_, set)| (set.depth() - set.height()).max(0.0));
        Stack { texts, height: y, depth: y + below, fits }
    }
}

impl<'a> Stack<'a> {
    /// Places the column with its first cap line at `y`.
    pub fn place(&self, setter: &mut Setter<'a>, x: f32, y: f32) {
        for (dy, set) in &self.texts {
            setter.place(set, x, y + dy);
        }
        setter.misfit |= !self.fits;
    }
}
