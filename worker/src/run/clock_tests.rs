//! A fake S3 store that refuses the worker's clock, and accepts it later.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;

use fleet::blobs::{Access, Location};

use super::*;

/// Longer than a worker takes to notice that its clock is correct.
const SOON: Duration = Duration::from_secs(20);

/// Answers every request with a clock error while `refuses` is set, else with "not found".
struct FakeStore {
    url: String,
    refuses: Arc<AtomicBool>,
}

impl FakeStore {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let refuses = Arc::new(AtomicBool::new(true));
        let told = Arc::clone(&refuses);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let told = Arc::clone(&told);
                // The client closes its end when the test ends.
                std::thread::spawn(move || serve(stream, &told).ok());
            }
        });
        Self { url, refuses }
    }

    fn blobs(&self) -> Blobs {
        let secret = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(secret.path(), "secret").unwrap();
        let access = Access {
            endpoint: Some(self.url.clone()),
            region: Some("us-east-1".into()),
            key_id: Some("key".into()),
            key_file: Some(secret.path().to_owned()),
        };
        Blobs::at(&Location::Bucket { bucket: "b".into(), prefix: None }, &access).unwrap()
    }
}

fn serve(stream: impl Read + Write, refuses: &AtomicBool) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if lines.read_line(&mut head)? == 0 {
                return Ok(());
            }
        }
        let (status, code) = match refuses.load(Ordering::SeqCst) {
            true => ("403 Forbidden", "RequestTimeTooSkewed"),
            false => ("404 Not Found", "NoSuchKey"),
        };
        let times = "<RequestTime>20261125T124400Z</RequestTime><ServerTime>2026-11-25T13:00:00Z</ServerTime>";
        let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code>{times}</Error>");
        write!(lines.get_mut(), "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len())?;
    }
}

impl Fixture {
    /// Enqueues a job whose input doesn't exist.
    async fn enqueue_failing(&self, id: u128) {
        self.enqueue(id, Self::plan_job_of(BlobId([7; 32])), Class::Plan).await;
    }

    fn claims(&self) -> u32 {
        self.job_service.claims.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn a_worker_whose_clock_the_store_refuses_takes_no_jobs_until_it_is_right() {
    let store = FakeStore::start();
    let fixture = Fixture::on(store.blobs(), FakeRasteriser::new(), FakeJobService::default(), Duration::from_secs(20));
    let clock = fixture.blobs.clock();
    tokio::time::timeout(SOON, clock.clone().wait_for(Option::is_some)).await.unwrap().unwrap();
    let said = clock.borrow().clone().unwrap();
    assert!(said.contains("20261125T124400Z here and 2026-11-25T13:00:00Z there"), "{said}");
    fixture.enqueue_failing(1).await;
    sleep(Duration::from_millis(500)).await;
    assert_eq!(fixture.claims(), 0, "a job was taken");

    store.refuses.store(false, Ordering::SeqCst);
    let Outcome::Failed(failure) = fixture.outcome(0).await else { panic!("its input isn't there") };
    assert_eq!((failure.code.as_str(), fixture.claims()), ("storage_damaged", 1));

    // The clock goes wrong while the worker waits: the first job detects it, and another worker must do that job.
    store.refuses.store(true, Ordering::SeqCst);
    fixture.enqueue_failing(2).await;
    let Outcome::Failed(failure) = fixture.outcome(1).await else { panic!("nothing can be read") };
    assert_eq!((failure.code.as_str(), failure.retry), ("storage_failed", true));
    fixture.enqueue_failing(3).await;
    sleep(Duration::from_millis(500)).await;
    assert_eq!(fixture.claims(), 2, "another job was taken");
    store.refuses.store(false, Ordering::SeqCst);
    fixture.outcome(2).await;
    fixture.stop().await;
}
