//! A stage of a job, and how the stages of a job run: within their deadlines, and as long as somebody waits for them.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fleet::cancel_guard::CancelGuard;
use fleet::failpoint::failpoint;
use fleet::fair_semaphore::Permit;
use fleet::llm::Allowance;
use fleet::protocol::{Failure, ModelUsage};
use futures::FutureExt;
use futures::future::{BoxFuture, poll_fn};
use render_core::cancel::{Cancelled, Scope};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};
use uuid::Uuid;

use super::context::Context;
use crate::failure;
use crate::metrics::{PANICS, STAGE_SECONDS};

/// One stage of a job whose state is `S`.
pub(crate) struct Stage<S> {
    pub(super) name: &'static str,
    pub(super) deadline: Duration,
    pub(super) work: Work<S>,
}

/// What a stage does.
pub(super) enum Work<S> {
    /// Waits for the object store.
    Io(for<'a> fn(&'a mut S, &'a Context) -> BoxFuture<'a, Result<(), Failure>>),
    /// Waits for other services and stores nothing, so it is cancelled as soon as the claim is lost.
    Ask(for<'a> fn(&'a mut S, &'a Context) -> BoxFuture<'a, Result<(), Failure>>),
    /// Computes, on a thread of its own.
    Cpu(fn(&mut S, &Context) -> Result<(), Failure>),
}

/// Why a job ended without a result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It failed.
    Failed(Failure),
    /// Its claim was revoked meanwhile.
    Lost,
}

impl Stop {
    /// Returns the same stop, with the tokens that a language model used for it.
    pub(super) fn having_used(self, allowance: &Allowance, usage: Option<ModelUsage>) -> Self {
        match self {
            Self::Failed(failure) => {
                Self::Failed(Failure { tokens: Some(allowance.used()), usage: usage.map(Box::new), ..failure })
            }
            Self::Lost => Self::Lost,
        }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

/// Runs `stages` in order on `state`. A panic in a stage is a failure of that stage.
///
/// `whose` is the key of the fair scheduling between stages that compute: an account if a client waits, and a
/// generation if it is a job, because a worker does not learn the account of a job; jobs already arrive in fair order.
/// A stage is cancelled, and ends at its next check, when it exceeds its deadline, when its claim is lost or when
/// nobody waits for it any more.
pub(super) async fn run<S: Send + 'static>(
    job: &'static str,
    whose: Uuid,
    stages: &[Stage<S>],
    mut state: S,
    context: &Arc<Context>,
    lost: &CancellationToken,
) -> Result<S, Stop> {
    for stage in stages {
        if lost.is_cancelled() {
            return Err(Stop::Lost);
        }
        let span = tracing::info_span!("stage", job, stage = stage.name);
        let started = Instant::now();
        let result = match stage.work {
            Work::Io(work) | Work::Ask(work) => {
                let guard = CancelGuard::new(stage.deadline);
                // Called inside the async block, so that a panic before the first await is caught as well.
                let work = within(guard.scope(), async { work(&mut state, context).await });
                let work = AssertUnwindSafe(work).catch_unwind().instrument(span);
                let in_time = timeout(stage.deadline, work);
                let ended = match stage.work {
                    Work::Ask(_) => tokio::select! {
                        ended = in_time => ended,
                        () = lost.cancelled() => return Err(Stop::Lost),
                    },
                    _ => in_time.await,
                };
                match ended {
                    Ok(Ok(result)) => result,
                    // The computation between two awaits took too long.
                    Ok(Err(panic)) if panic.is::<Cancelled>() => Err(failure::late(stage.name, true)),
                    Ok(Err(panic)) => Err(caught(job, stage.name, &*panic)),
                    Err(_) => Err(failure::late(stage.name, false)),
                }
            }
            Work::Cpu(work) => {
                // The time spent waiting for a permit does not count against the deadline.
                let permit = tokio::select! {
                    permit = context.threads.acquire(whose) => permit.map_err(failure::busy)?,
                    () = lost.cancelled() => return Err(Stop::Lost),
                };
                // Dropped when this function returns in any way: the stage then ends at its next check.
                let guard = CancelGuard::new(stage.deadline);
                let answer = on_a_thread(work, state, context, (permit, guard.scope()), span);
                let (back, result) = tokio::select! {
                    answer = timeout(stage.deadline, answer) => match answer {
                        Ok(Ok(answer)) => answer,
                        // Only a runtime that shuts down drops the task.
                        Ok(Err(_)) => return Err(failure::panicked().into()),
                        Err(_) => return Err(failure::late(stage.name, true).into()),
                    },
                    () = lost.cancelled() => return Err(Stop::Lost),
                };
                state = back;
                result.unwrap_or_else(|panic| match panic.is::<Cancelled>() {
                    true => Err(failure::late(stage.name, true)),
                    false => Err(caught(job, stage.name, &*panic)),
                })
            }
        };
        metrics::histogram!(STAGE_SECONDS, "job" => job, "stage" => stage.name).record(started.elapsed().as_secs_f64());
        result?;
        failpoint(format_args!("{job}: {}", stage.name));
    }
    Ok(state)
}

type Answer<S> = (S, std::thread::Result<Result<(), Failure>>);

/// Runs a stage on a thread of its own, outside rayon's pool. A pool thread that waits for a part of its work takes up
/// other work meanwhile. If that were another stage, the first one could not end before it.
fn on_a_thread<S: Send + 'static>(
    work: fn(&mut S, &Context) -> Result<(), Failure>,
    mut state: S,
    context: &Arc<Context>,
    (permit, scope): (Permit, Scope),
    span: Span,
) -> oneshot::Receiver<Answer<S>> {
    let (answer, receiver) = oneshot::channel();
    let context = Arc::clone(context);
    tokio::task::spawn_blocking(move || {
        let result =
            span.in_scope(|| std::panic::catch_unwind(AssertUnwindSafe(|| scope.enter(|| work(&mut state, &context)))));
        // Before the answer: the thread is free from here on.
        drop(permit);
        // Nobody awaits the receiver if the claim was lost or the deadline passed.
        drop(answer.send((state, result)));
    });
    receiver
}

/// Runs `work`, each poll of it within `scope`.
async fn within<T>(scope: Scope, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    poll_fn(|task| scope.enter(|| work.as_mut().poll(task))).await
}

fn caught(job: &'static str, stage: &'static str, panic: &(dyn std::any::Any + Send)) -> Failure {
    let said = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    tracing::error!(job, stage, said, "stage panicked");
    metrics::counter!(PANICS, "job" => job, "stage" => stage).increment(1);
    failure::panicked()
}

#[cfg(test)]
mod tests {
    use fleet::protocol::FailureCode;

    use super::*;
    use crate::stages::context::tests::test_context;

    /// The steps that the stages of these tests ran.
    #[derive(Default)]
    struct Trace(Vec<&'static str>);

    fn waits(trace: &mut Trace, _: &Context) -> BoxFuture<'static, Result<(), Failure>> {
        trace.0.push("io");
        Box::pin(async {
            tokio::task::yield_now().await;
            Ok(())
        })
    }

    fn computes(trace: &mut Trace, _: &Context) -> Result<(), Failure> {
        trace.0.push("cpu");
        Ok(())
    }

    fn stage(work: Work<Trace>) -> Stage<Trace> {
        Stage { name: "test", deadline: Duration::from_secs(30), work }
    }

    async fn run_all(stages: &[Stage<Trace>], lost: &CancellationToken) -> Result<Vec<&'static str>, Stop> {
        run("test", Uuid::from_u128(1), stages, Trace::default(), &test_context(), lost).await.map(|t| t.0)
    }

    #[tokio::test]
    async fn stages_run_in_order() {
        let stages = [stage(Work::Io(waits)), stage(Work::Cpu(computes)), stage(Work::Io(waits))];
        assert_eq!(run_all(&stages, &CancellationToken::new()).await, Ok(vec!["io", "cpu", "io"]));
    }

    #[tokio::test]
    async fn a_panic_is_a_failure_that_may_pass() {
        let in_cpu = stage(Work::Cpu(|_, _| panic!("in a stage")));
        let in_io = stage(Work::Io(|_, _| Box::pin(async { panic!("in a stage") })));
        let before_io = stage(Work::Io(|_, _| panic!("before a stage")));
        for broken in [in_cpu, in_io, before_io] {
            let stages = [stage(Work::Cpu(computes)), broken, stage(Work::Cpu(|_, _| unreachable!()))];
            let stopped = run_all(&stages, &CancellationToken::new()).await;
            assert_eq!(stopped, Err(Stop::Failed(failure::panicked())));
        }
    }

    #[tokio::test]
    async fn a_failure_ends_the_job() {
        let stages = [
            stage(Work::Cpu(|_, _| Err(failure::lasting(FailureCode::NoContent, "nothing")))),
            stage(Work::Cpu(|_, _| unreachable!())),
        ];
        let stopped = run_all(&stages, &CancellationToken::new()).await;
        assert_eq!(stopped, Err(Stop::Failed(failure::lasting(FailureCode::NoContent, "nothing"))));
    }

    #[tokio::test]
    async fn a_stage_that_never_ends_is_late() {
        let endless_io = Work::Io(|_, _| Box::pin(std::future::pending()));
        let long_cpu = Work::Cpu(|_, _| {
            std::thread::sleep(Duration::from_millis(200));
            Ok(())
        });
        for (work, computing) in [(endless_io, false), (long_cpu, true)] {
            let stages = [Stage { name: "slow", deadline: Duration::from_millis(10), work }];
            let stopped = run_all(&stages, &CancellationToken::new()).await;
            assert_eq!(stopped, Err(Stop::Failed(failure::late("slow", computing))));
            // A computation that takes too long does so in a retry too.
            assert_eq!(failure::late("slow", computing).retry, !computing);
        }
    }

    #[tokio::test]
    async fn a_lost_claim_ends_the_job() {
        let lost = CancellationToken::new();
        lost.cancel();
        assert_eq!(run_all(&[stage(Work::Cpu(|_, _| unreachable!()))], &lost).await, Err(Stop::Lost));
    }

    #[tokio::test]
    async fn who_only_waits_is_called_off_with_the_claim() {
        let lost = CancellationToken::new();
        let waits: Stage<Trace> = stage(Work::Ask(|_, _| Box::pin(std::future::pending())));
        let called_off = lost.clone();
        tokio::spawn(async move { called_off.cancel() });
        assert_eq!(run_all(&[waits], &lost).await, Err(Stop::Lost));
    }

    /// Computes until it is cancelled.
    fn endless(_: &mut Trace, _: &Context) -> Result<(), Failure> {
        loop {
            render_core::cancel::check();
            std::thread::yield_now();
        }
    }

    /// Waits until no stage computes. Failing to become idle in time is what these tests detect.
    async fn idle(context: &Arc<Context>) {
        let both = async {
            let _one = context.threads.acquire(Uuid::nil()).await;
            context.threads.acquire(Uuid::nil()).await
        };
        timeout(Duration::from_secs(1), both).await.expect("what was called off ended within a second").unwrap();
    }

    #[tokio::test]
    async fn i18_a_stage_that_is_late_ends_within_a_second_of_its_deadline() {
        let context = test_context();
        let stages = [Stage { name: "slow", deadline: Duration::from_millis(20), work: Work::Cpu(endless) }];
        let account = Uuid::from_u128(1);
        let never = CancellationToken::new();
        let runs: Vec<_> = (0..6).map(|_| run("test", account, &stages, Trace::default(), &context, &never)).collect();
        for stopped in futures::future::join_all(runs).await {
            assert_eq!(stopped.map(|_| ()), Err(Stop::Failed(failure::late("slow", true))));
        }
        idle(&context).await;
    }

    #[tokio::test]
    async fn i18_a_stage_that_computes_between_waits_ends_at_its_deadline_too() {
        let work = Work::Ask(|trace, context| Box::pin(async move { endless(trace, context) }));
        let stages = [Stage { name: "slow", deadline: Duration::from_millis(20), work }];
        let stopped = run_all(&stages, &CancellationToken::new()).await;
        assert_eq!(stopped, Err(Stop::Failed(failure::late("slow", true))));
    }

    #[tokio::test]
    async fn i18_a_stage_ends_with_its_claim_and_with_whoever_waits_for_it() {
        let context = test_context();
        let stages = [Stage { name: "long", deadline: Duration::from_secs(3_600), work: Work::Cpu(endless) }];
        let (account, lost) = (Uuid::from_u128(1), CancellationToken::new());
        let called_off = lost.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            called_off.cancel();
        });
        let stopped = run("test", account, &stages, Trace::default(), &context, &lost).await;
        assert_eq!(stopped.map(|_| ()), Err(Stop::Lost));
        idle(&context).await;
        let never = CancellationToken::new();
        let run = run("test", account, &stages, Trace::default(), &context, &never);
        assert!(timeout(Duration::from_millis(20), run).await.is_err());
        idle(&context).await;
    }

    /// A thread of rayon's pool that waits for a part of its work takes up other work meanwhile.
    #[tokio::test]
    async fn i18_a_stage_that_waits_for_its_parts_takes_up_no_other_stage() {
        let context = test_context();
        let parts: fn(&mut Trace, &Context) -> Result<(), Failure> = |_, _| {
            let part = |ms| std::thread::sleep(Duration::from_millis(ms));
            rayon::join(|| part(100), || part(300));
            Ok(())
        };
        let short = [Stage { name: "parts", deadline: Duration::from_secs(30), work: Work::Cpu(parts) }];
        let long = [Stage { name: "long", deadline: Duration::from_secs(5), work: Work::Cpu(endless) }];
        let (never, lost) = (CancellationToken::new(), CancellationToken::new());
        let first = async {
            let began = Instant::now();
            run("test", Uuid::from_u128(1), &short, Trace::default(), &context, &never).await.map(|_| ()).unwrap();
            lost.cancel();
            began.elapsed()
        };
        let second = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            run("test", Uuid::from_u128(2), &long, Trace::default(), &context, &lost).await.map(|_| ())
        };
        let (took, ended) = tokio::join!(first, second);
        assert_eq!(ended, Err(Stop::Lost));
        assert!(took < Duration::from_secs(2), "{took:?}");
    }

    #[tokio::test]
    async fn i18_stages_of_others_are_not_behind_all_of_one_account() {
        static DONE: parking_lot::Mutex<Vec<u128>> = parking_lot::Mutex::new(Vec::new());
        struct Of(u128);
        let work = Work::Cpu(|of: &mut Of, _: &Context| {
            std::thread::sleep(Duration::from_millis(2));
            DONE.lock().push(of.0);
            Ok(())
        });
        let context = test_context();
        let stages = [Stage { name: "turn", deadline: Duration::from_secs(60), work }];
        let never = CancellationToken::new();
        let of = |n| run("test", Uuid::from_u128(n), &stages, Of(n), &context, &never);
        let all: Vec<_> = (0..100).map(|_| of(1)).chain((0..3).map(|_| of(2))).collect();
        for done in futures::future::join_all(all).await {
            done.map(|_| ()).unwrap();
        }
        let done = DONE.lock();
        let last = done.iter().rposition(|n| *n == 2).unwrap();
        assert!(done.len() == 103 && last < 20, "the last of the other account was the {last}th of all");
    }
}
