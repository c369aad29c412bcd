//! What workers ask the coordinator and what it answers, heard on its way: who came for which job, who got it, and what
//! became of the reports.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use fleet::protocol::{Claim, ClaimAnswer, ClaimRequest, ReportRequest, Verdict, decode};

use super::tap::{Heard, Tap};

const CLAIM: &str = "vivid.desk.*.claim";
const REPORT: &str = "vivid.desk.*.report";

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
    /// A report was sent.
    Sent(Claim),
    Reported(Claim, Verdict),
}

/// A question whose answer is awaited.
enum Question {
    Claim(ClaimRequest),
    Report(Claim),
}

/// Questions without an answer, and answers without a question: on a busy machine an answer may be heard first.
#[derive(Default)]
struct Open {
    questions: HashMap<String, Question>,
    answers: HashMap<String, Vec<u8>>,
}

/// Everything that was said, in its order.
#[derive(Clone, Default)]
pub struct Desk(Arc<Mutex<Vec<Entry>>>);

impl Desk {
    /// Notes it from now on, while the tap is open.
    pub fn of(url: &str) -> (Tap, Self) {
        let desk = Self::default();
        let (noted, mut open) = (desk.clone(), Open::default());
        let tap = Tap::open(url, &[CLAIM, REPORT, "_INBOX.>"], move |heard| {
            noted.hear(&mut open, heard);
            Vec::new()
        });
        (tap, desk)
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
            // Others have questions, too.
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
        // One without words says why it is none.
        if answer.is_empty() {
            return;
        }
        match question {
            Question::Claim(ClaimRequest { ticket, worker }) => {
                if let ClaimAnswer::Granted(claim, ..) = decode(answer).unwrap() {
                    self.note(&worker, claim.job.to_string(), What::Granted(claim, !ticket.is_fresh()));
                }
            }
            Question::Report(claim) => {
                self.note(&self.whose(claim), claim.job.to_string(), What::Reported(claim, decode(answer).unwrap()));
            }
        }
    }

    /// Who was given this.
    fn whose(&self, claim: Claim) -> String {
        let granted = |e: &Entry| matches!(e.what, What::Granted(granted, _) if granted == claim);
        self.all().into_iter().find(granted).map(|e| e.worker).unwrap_or_default()
    }

    fn note(&self, worker: &str, job: String, what: What) {
        let entry = Entry { at: Instant::now(), worker: worker.to_owned(), job, what };
        self.0.lock().unwrap().push(entry);
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

    /// Whether a report under this claim was sent, whatever came of it.
    pub fn is_sent(&self, claim: Claim) -> bool {
        self.all().iter().any(|e| matches!(e.what, What::Sent(sent) if sent == claim))
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
