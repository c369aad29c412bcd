//! Records the requests of workers to the coordinator and the answers: who claimed which job, who got it, and the
//! verdict on each report.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use fleet::protocol::{Claim, ClaimAnswer, ClaimRequest, ReportRequest, Verdict, decode};
use parking_lot::Mutex;

use super::tap::{Heard, Tap};

const CLAIM: &str = "vivid.desk.*.claim";
const REPORT: &str = "vivid.desk.*.report";

/// One request, or one answer.
#[derive(Debug, Clone)]
struct Entry {
    at: Instant,
    worker: String,
    job: String,
    what: What,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Asked,
    /// A claim was granted, and whether the job had been granted before.
    Granted(Claim, bool),
    /// A report was sent.
    Sent(Claim),
    Reported(Claim, Verdict),
}

/// A request that awaits its answer.
enum Question {
    Claim(ClaimRequest),
    Report(Claim),
}

/// Requests without an answer, and answers without a request: on a busy machine the answer may be recorded first.
#[derive(Default)]
struct Open {
    questions: HashMap<String, Question>,
    answers: HashMap<String, Vec<u8>>,
}

/// All recorded entries, in order.
#[derive(Clone, Default)]
pub struct JobLog(Arc<Mutex<Vec<Entry>>>);

impl JobLog {
    /// Starts recording. The recording lasts as long as the tap is open.
    pub fn of(url: &str) -> (Tap, Self) {
        let job_log = Self::default();
        let (noted, mut open) = (job_log.clone(), Open::default());
        let tap = Tap::open(url, &[CLAIM, REPORT, "_INBOX.>"], move |heard| {
            noted.hear(&mut open, heard);
            Vec::new()
        });
        (tap, job_log)
    }

    fn hear(&self, open: &mut Open, heard: &Heard<'_>) {
        let question = match heard.subject {
            asked if asked.ends_with(".claim") => {
                let asked: ClaimRequest = decode(heard.said).unwrap();
                self.note(&asked.worker, asked.ticket.job.to_string(), What::Asked);
                Question::Claim(asked)
            }
            asked if asked.ends_with(".report") => {
                let claim = decode::<ReportRequest>(heard.said).unwrap().claim;
                self.note(&self.whose(claim), claim.job.to_string(), What::Sent(claim));
                Question::Report(claim)
            }
            // An answer to a request that is not recorded here.
            answered => {
                match open.questions.remove(answered) {
                    Some(question) => self.answered(question, heard.said),
                    None => _ = open.answers.insert(answered.to_owned(), heard.said.to_vec()),
                }
                return;
            }
        };
        let answer_to = heard.answer_to.expect("it is a question");
        match open.answers.remove(answer_to) {
            Some(answer) => self.answered(question, &answer),
            None => _ = open.questions.insert(answer_to.to_owned(), question),
        }
    }

    fn answered(&self, question: Question, answer: &[u8]) {
        // An empty message has a status line that says why.
        if answer.is_empty() {
            return;
        }
        match question {
            Question::Claim(ClaimRequest { ticket, worker }) => {
                if let ClaimAnswer::Granted(claim, ..) = decode(answer).unwrap() {
                    self.note(&worker, claim.job.to_string(), What::Granted(claim, !ticket.epoch.is_fresh()));
                }
            }
            Question::Report(claim) => {
                self.note(&self.whose(claim), claim.job.to_string(), What::Reported(claim, decode(answer).unwrap()));
            }
        }
    }

    /// Returns the worker that was granted this claim.
    fn whose(&self, claim: Claim) -> String {
        let granted = |e: &Entry| matches!(e.what, What::Granted(granted, _) if granted == claim);
        self.all().into_iter().find(granted).map(|e| e.worker).unwrap_or_default()
    }

    fn note(&self, worker: &str, job: String, what: What) {
        let entry = Entry { at: Instant::now(), worker: worker.to_owned(), job, what };
        self.0.lock().push(entry);
    }

    fn all(&self) -> Vec<Entry> {
        self.0.lock().clone()
    }

    /// Returns how often this job was claimed.
    pub fn asked_for(&self, job: &str) -> usize {
        self.all().iter().filter(|e| matches!(e.what, What::Asked) && e.job == job).count()
    }

    /// Returns the number of claim requests.
    pub fn asked(&self) -> usize {
        self.all().iter().filter(|e| matches!(e.what, What::Asked)).count()
    }

    /// Returns when this worker last sent a claim request.
    pub fn last_asked_by(&self, worker: &str) -> Option<Instant> {
        self.all().iter().rev().find(|e| matches!(e.what, What::Asked) && e.worker == worker).map(|e| e.at)
    }

    /// Returns the job that was last granted to this worker.
    pub fn last_of(&self, worker: &str) -> Option<String> {
        let given = |e: &&Entry| matches!(e.what, What::Granted(..)) && e.worker == worker;
        self.all().iter().rev().find(given).map(|e| e.job.clone())
    }

    /// Returns the claims that were granted to this worker and whose reports have no answer yet.
    pub fn in_hand(&self, worker: &str) -> Vec<Claim> {
        let all = self.all();
        let reported = |claim| all.iter().any(|e| matches!(e.what, What::Reported(done, _) if done == claim));
        let given = all.iter().filter(|e| e.worker == worker).filter_map(|e| match e.what {
            What::Granted(claim, _) => Some(claim),
            _ => None,
        });
        given.filter(|claim| !reported(*claim)).collect()
    }

    /// Whether a report under this claim was sent, with any outcome.
    pub fn is_sent(&self, claim: Claim) -> bool {
        self.all().iter().any(|e| matches!(e.what, What::Sent(sent) if sent == claim))
    }

    /// Returns when a report of this job was accepted, and under which claim.
    pub fn done(&self, job: &str) -> Option<(Instant, Claim)> {
        self.all().iter().find_map(|e| match e.what {
            What::Reported(claim, Verdict::Accepted) if e.job == job => Some((e.at, claim)),
            _ => None,
        })
    }

    /// Returns the verdicts on the reports under this claim.
    pub fn verdicts(&self, of: Claim) -> Vec<Verdict> {
        let all = self.all().into_iter();
        all.filter_map(|e| match e.what {
            What::Reported(claim, verdict) if claim == of => Some(verdict),
            _ => None,
        })
        .collect()
    }

    /// Returns how often a job was granted again.
    pub fn given_again(&self) -> usize {
        self.all().iter().filter(|e| matches!(e.what, What::Granted(_, true))).count()
    }
}
