//! Words → small pictures of the first page that each sample would make.

use std::time::Duration;

use fleet::protocol::{Failure, FailureCode};
use fleet::sample::{Drawn, Sample};
use futures::future::BoxFuture;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use render_core::cancel::Scope;
use render_core::compose::compose;
use render_core::content::ReadOptions;
use render_core::design::Style;
use render_core::encode::{Encoding, encode_with};
use render_core::format::Format;
use render_core::plan::{PlanRequest, plan};
use render_core::scene::Canvas;

use super::context::Context;
use super::stage::{Stage, Work};
use crate::brand::Branded;
use crate::renderer::PREVIEW_PX;
use crate::{failure, ingest};

/// Samples → small pictures.
pub(super) const STAGES: &[Stage<State>] = &[
    Stage { name: "brand", deadline: Duration::from_secs(10), work: Work::Ask(brand) },
    Stage { name: "sample", deadline: Duration::from_secs(20), work: Work::Cpu(draw) },
];

/// Seed of all samples, so that two samples differ only in what the client chose.
const SEED: u64 = 1;
/// Slides of a carousel; its first is rendered.
const SLIDES: u32 = 5;
/// Pixels of the picture's short edge.
const SHORT_EDGE: u32 = 320;
/// Somebody chooses among several at a glance: a fifth of the bytes of a lossless one.
const ENCODING: Encoding = Encoding::WebpLossy { quality: 80 };

/// The state that the stages pass on.
pub(super) struct State {
    samples: Vec<Sample>,
    /// The brand of each sample.
    branded: Vec<Option<Branded>>,
    drawn: Vec<Drawn>,
}

impl State {
    pub fn new(samples: Vec<Sample>) -> Self {
        Self { samples, branded: Vec::new(), drawn: Vec::new() }
    }

    pub fn into_drawn(self) -> Vec<Drawn> {
        self.drawn
    }
}

fn brand<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        for sample in &state.samples {
            state.branded.push(match &sample.brand {
                Some(stored) => Some(context.brands.ready(stored, &context.blobs, context.renderer.fonts()).await?),
                None => None,
            });
        }
        Ok(())
    })
}

fn draw(state: &mut State, context: &Context) -> Result<(), Failure> {
    let pairs: Vec<_> = state.samples.iter().zip(&state.branded).collect();
    let scope = Scope::current();
    let drawn = pairs.par_iter().map(|(sample, branded)| scope.enter(|| one(sample, branded.as_ref(), context)));
    state.drawn = drawn.collect::<Result<_, _>>()?;
    Ok(())
}

fn one(sample: &Sample, branded: Option<&Branded>, context: &Context) -> Result<Drawn, Failure> {
    let failed = |e: &dyn std::fmt::Display| failure::lasting(FailureCode::RenderFailed, e.to_string());
    let document = ingest::text(&sample.words, &ReadOptions::default())?;
    let named = |id: &str| failure::lasting(FailureCode::RenderFailed, format!("there is no format named {id:?}"));
    let format = Format::by_id(&sample.format).ok_or_else(|| named(&sample.format))?;
    let style = sample.style.as_deref().and_then(Style::by_name);
    let brand = branded.map(|branded| &branded.brand);
    let renderer = branded.map_or_else(|| context.renderer.clone(), |b| context.renderer.with_fonts(b.fonts.clone()));
    let request = PlanRequest {
        brand,
        ..PlanRequest::of(
            &document,
            vec![(format.id, format.carousel.then_some(SLIDES))],
            style.or(brand.and_then(|b| b.style)).unwrap_or(Style::MODERN),
            SEED,
        )
    };
    let planned = plan(&request, renderer.fonts()).map_err(|e| failed(&e))?;
    let page =
        planned.pages.first().ok_or_else(|| failure::lasting(FailureCode::NoContent, "the text has no content"))?;
    let composed = compose(page, renderer.fonts());
    let short = format.width.min(format.height).max(1);
    let edge = |px: u32| (px * SHORT_EDGE).div_ceil(short);
    let canvas = Canvas::new(edge(format.width), edge(format.height));
    let small = renderer.preview(&composed.scene, canvas, PREVIEW_PX).map_err(|e| failed(&e))?;
    let (width, height) = (small.width, small.height);
    let image = encode_with(&small, ENCODING).map_err(|e| failed(&e))?.into();
    let warnings = planned.warnings.iter().chain(&page.warnings).cloned().collect();
    Ok(Drawn { image, width, height, alt_text: page.alt_text.clone(), warnings })
}
