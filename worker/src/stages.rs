//! A job is a list of stages, each with a name, a deadline, a span and a histogram: [`plan::STAGES`],
//! [`derive::STAGES`], [`render::STAGES`]. Requests that a client waits for, such as an estimate or an edit, are lists
//! of stages too.

mod arranging;
mod carry;
mod claimed;
mod context;
mod derive;
mod edit;
mod editing;
mod export;
mod markup;
mod plan;
mod render;
mod sample;
mod stage;

use std::sync::Arc;

use bytes::Bytes;
use fleet::estimate::Estimate;
use fleet::export::ExportPages;
use fleet::failpoint::failpoint;
use fleet::llm::Allowance;
use fleet::protocol::{InputKind, Job, Outcome, PlanJob, Planned};
use fleet::sample::{Drawn, Sample};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

pub(crate) use claimed::Claimed;
pub use context::Context;
pub(crate) use editing::{arrange, designs, execute, halves, preview, propose, view};
pub(crate) use stage::Stop;

#[cfg(test)]
pub(crate) use context::tests::test_context;

use stage::run;

/// Works on `job`. Ends early once `lost` is cancelled, but never within a stage that stores: the caller can delete the
/// job's objects as soon as this returns.
pub(crate) async fn work(
    place: Claimed,
    job: Job,
    context: &Arc<Context>,
    lost: &CancellationToken,
) -> Result<Outcome, Stop> {
    match job {
        Job::Plan(job) => {
            failpoint(format_args!("seed {}", job.seed));
            let whose = job.generation;
            let allowance = Allowance::of(job.tokens);
            let planned = match job.input_kind {
                InputKind::Pages => {
                    let state = derive::State::new(job, allowance.clone());
                    run("derive", whose, derive::STAGES, state, context, lost).await.map(derive::State::into_planned)
                }
                InputKind::Markup => {
                    let state = markup::State::new(job);
                    run("markup", whose, markup::STAGES, state, context, lost).await.map(markup::State::into_planned)
                }
                _ => {
                    let state = plan::State::new(job, allowance.clone());
                    run("plan", whose, plan::STAGES, state, context, lost).await.map(plan::State::into_planned)
                }
            };
            let usage = context.copywriter.as_ref().and_then(|copywriter| copywriter.usage(&allowance));
            match planned {
                Ok(planned) => Ok(Outcome::Planned(Planned { usage, ..planned })),
                Err(stop) => Err(stop.having_used(&allowance, usage)),
            }
        }
        Job::Render(job) => {
            failpoint(format_args!("draws {}x{}", job.width, job.height));
            let whose = job.generation;
            let done = run("render", whose, render::STAGES, render::State::new(job, place), context, lost).await?;
            Ok(Outcome::Rendered(done.into_rendered()))
        }
    }
}

/// Returns what `job` of `account` would produce from `input`; stores nothing.
pub(crate) async fn estimate(
    account: Uuid,
    job: PlanJob,
    input: Bytes,
    context: &Arc<Context>,
) -> Result<Estimate, Stop> {
    if job.input_kind == InputKind::Markup {
        let state = markup::State::with_input(job, input);
        let done = run("trial", account, markup::TRIAL, state, context, &CancellationToken::new()).await?;
        return Ok(done.into_estimate());
    }
    let state = plan::State::with_input(account, job, input);
    let done = run("estimate", account, plan::planning(), state, context, &CancellationToken::new()).await?;
    Ok(done.into_estimate())
}

/// Renders small pictures of the samples of `account`.
pub(crate) async fn sample(account: Uuid, samples: Vec<Sample>, context: &Arc<Context>) -> Result<Vec<Drawn>, Stop> {
    let state = sample::State::new(samples);
    Ok(run("sample", account, sample::STAGES, state, context, &CancellationToken::new()).await?.into_drawn())
}

/// Returns the PDF of some pages; stores nothing.
pub(crate) async fn export(pages: ExportPages, context: &Arc<Context>) -> Result<Bytes, Stop> {
    let (whose, state) = (pages.account, export::State::new(pages));
    Ok(run("export", whose, export::STAGES, state, context, &CancellationToken::new()).await?.into_file())
}

/// Returns the keys of every object that `job` at `place` may have stored.
pub(crate) fn objects(place: &Claimed, job: &Job) -> Vec<String> {
    match job {
        Job::Plan(_) => Vec::new(),
        Job::Render(job) => render::keys(job, place).into(),
    }
}

/// Returns the generation that the job belongs to.
pub(crate) fn generation(job: &Job) -> Uuid {
    match job {
        Job::Plan(job) => job.generation,
        Job::Render(job) => job.generation,
    }
}

/// Returns the short name of a job, for spans and metrics.
pub(crate) fn name(job: &Job) -> &'static str {
    match job {
        Job::Plan(_) => "plan",
        Job::Render(_) => "render",
    }
}
