//! Tests of automatic copies of the state.

use std::time::{Duration, Instant};

use super::{UNHURRIED, fresh};

#[tokio::test]
async fn a_copy_of_the_state_is_written_for_its_owner_alone() {
    let (data, _service, _client) = fresh(&UNHURRIED);
    let (folder, until) = (data.path().join("exports"), Instant::now() + Duration::from_secs(120));
    let copy = loop {
        let mut files = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|f| f.path());
        if let Some(file) = files.find(|f| f.extension().is_some_and(|e| e == "vivid")) {
            break file;
        }
        // The first copy is due at the start.
        assert!(Instant::now() < until, "no copy in time");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    let bytes = std::fs::read(&copy).unwrap();
    assert!(bytes.starts_with(b"VIVIDEXP\x02"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&copy), mode(&folder)), (0o600, 0o700));
    }
}
