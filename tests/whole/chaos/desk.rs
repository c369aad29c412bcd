//! What workers ask the coordinator and what it answers, heard on its way: who came for which job, who got it, and what
//! became of the reports.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use fleet::protocol::{Claim, ClaimAnswer, ClaimRequest, ReportRequest, Verdict, decode};

use super::tap::{Heard, Tap};

const CLAIM: &str = "vivid.desk.claim";
const REPORT: &str = "vivid.desk.report";

/// One question, or one answer.
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
    /// The claim, and whether somebody had the job before.
    Granted(Claim, bool),
    Reported(Claim, Verdict),
}

/// A question whose answer is awaited.
enum Question {
    Claim(ClaimRequest),
    Report(Claim),
}

/// Everything that was said, in its order.
#[derive(Clone, Default)]
pub struct Desk(Arc<Mutex<Vec<Entry>>>);

impl Desk {
    /// Notes it from now on, while the tap is open.
    pub fn of(url: &str) -> (Tap, Self) {
        let desk = Self::default();
        let (noted, mut open) = (desk.clone(), HashMap::new());
        let tap = Tap::open(url, &[CLAIM, REPORT, "_INBOX.>"], move |heard| {
            noted.note(&mut open, heard);
            Vec::new()
        });
        (tap, desk)
    }

    fn note(&self, open: &mut HashMap<String, Question>, heard: &Heard<'_>) {
        let mut entries = self.0.lock().unwrap();
        let mut add = |worker: &str, job: String, what| {
            entries.push(Entry { at: Instant::now(), worker: worker.to_owned(), job, what });
        };
        match heard.subject {
            CLAIM => {
                let asked: ClaimRequest = decode(heard.said).unwrap();
                add(&asked.worker, asked.ticket.job.to_string(), What::Asked);
                open.insert(heard.answer_to.unwrap().to_owned(), Question::Claim(asked));
            }
            REPORT => {
                let asked: ReportRequest = decode(heard.said).unwrap();
                open.insert(heard.answer_to.unwrap().to_owned(), Question::Report(asked.claim));
            }
            // Others have questions too; and an answer without words is none.
            answered => match open.remove(answered).filter(|_| !heard.said.is_empty()) {
                None => {}
                Some(Question::Claim(ClaimRequest { ticket, worker })) => {
                    if let ClaimAnswer::Granted(claim, _) = decode(heard.said).unwrap() {
                        add(&worker, claim.job.to_string(), What::Granted(claim, !ticket.is_fresh()));
                    }
                }
                Some(Question::Report(claim)) => {
                    let verdict = decode(heard.said).unwrap();
                    let granted = |e: &&Entry| matches!(e.what, What::Granted(granted, _) if granted == claim);
                    let worker = entries.iter().find(granted).map_or("", |e| &e.worker).to_owned();
                    let (at, job) = (Instant::now(), claim.job.to_string());
                    entries.push(Entry { at, worker, job, what: What::Reported(claim, verdict) });
                }
            },
        }
    }

    fn all(&self) -> Vec<Entry> {
        self.0.lock().unwrap().clone()
    }

    /// How often somebody came for this job.
    pub fn asked_for(&self, job: &str) -> usize {
        self.all().iter().filter(|e| matches!(e.what, What::Asked) && e.job == job).count()
    }

    /// How often somebody came for any.
    pub fn asked(&self) -> usize {
        self.all().iter().filter(|e| matches!(e.what, What::Asked)).count()
    }

    /// When this worker came for anything last.
    pub fn last_asked_by(&self, worker: &str) -> Option<Instant> {
        self.all().iter().rev().find(|e| matches!(e.what, What::Asked) && e.worker == worker).map(|e| e.at)
    }

    /// What this worker was given last.
    pub fn last_of(&self, worker: &str) -> Option<String> {
        let given = |e: &&Entry| matches!(e.what, What::Granted(..)) && e.worker == worker;
        self.all().iter().rev().find(given).map(|e| e.job.clone())
    }

    /// What this worker was given and has had no answer about.
    pub fn in_hand(&self, worker: &str) -> Vec<Claim> {
        let all = self.all();
        let reported = |claim| all.iter().any(|e| matches!(e.what, What::Reported(done, _) if done == claim));
        let given = all.iter().filter(|e| e.worker == worker).filter_map(|e| match e.what {
            What::Granted(claim, _) => Some(claim),
            _ => None,
        });
        given.filter(|claim| !reported(*claim)).collect()
    }

    /// When a report of this job was taken, and under which claim.
    pub fn done(&self, job: &str) -> Option<(Instant, Claim)> {
        self.all().iter().find_map(|e| match e.what {
            What::Reported(claim, Verdict::Accepted) if e.job == job => Some((e.at, claim)),
            _ => None,
        })
    }

    /// What was answered to the reports under this claim.
    pub fn verdicts(&self, of: Claim) -> Vec<Verdict> {
        let all = self.all().into_iter();
        all.filter_map(|e| match e.what {
            What::Reported(claim, verdict) if claim == of => Some(verdict),
            _ => None,
        })
        .collect()
    }

    /// How often a job was given to somebody that had been given to somebody before.
    pub fn given_again(&self) -> usize {
        self.all().iter().filter(|e| matches!(e.what, What::Granted(_, true))).count()
    }
}
