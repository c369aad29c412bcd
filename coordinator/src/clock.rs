//! Points in time, to the millisecond.

use std::fmt;

use jiff::Timestamp;
use jiff::tz::Offset;
use serde::{Deserialize, Serialize};

/// Milliseconds per day. Unix time has no leap seconds.
const DAY_MS: i64 = 86_400_000;

/// Milliseconds since 1970-01-01T00:00:00Z. Displayed as RFC 3339 in UTC, always with three decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Millis(pub i64);

impl Millis {
    /// Returns the current time of the server's clock.
    pub fn now() -> Self {
        Self(Timestamp::now().as_millisecond())
    }

    /// Returns the time `seconds` later.
    #[must_use]
    pub fn plus_seconds(self, seconds: u64) -> Self {
        Self(self.0.saturating_add(i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1000)))
    }

    /// Returns the time `seconds` earlier.
    #[must_use]
    pub fn minus_seconds(self, seconds: u64) -> Self {
        Self(self.0.saturating_sub(i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1000)))
    }

    /// Returns the whole seconds since 1970, rounded down.
    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Returns the UTC day of this time; the first day for earlier times.
    pub fn day(self) -> Day {
        Day(u32::try_from(self.0.div_euclid(DAY_MS)).unwrap_or(0))
    }

    /// Parses an RFC 3339 time with an offset.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse::<Timestamp>().ok().map(|t| Self(t.as_millisecond()))
    }
}

/// A UTC day, counted from 1970-01-01. Displayed as RFC 3339's full-date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub u32);

impl Day {
    /// Returns the day `days` earlier, but not before the first day.
    #[must_use]
    pub fn minus(self, days: u32) -> Self {
        Self(self.0.saturating_sub(days))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = Millis(i64::from(self.0) * DAY_MS).to_string();
        f.write_str(start.split('T').next().unwrap_or_default())
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Timestamp::from_millisecond(self.0) {
            Ok(t) => write!(f, "{t:.3}"),
            // Outside the years that RFC 3339 can express. No clock returns that.
            Err(_) => write!(f, "{}", self.0),
        }
    }
}

/// A UTC month, counted from the year 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Month(pub u32);

impl Month {
    /// Returns the month of a time.
    pub fn of(time: Millis) -> Self {
        let timestamp = Timestamp::from_millisecond(time.0).unwrap_or(Timestamp::UNIX_EPOCH);
        let date = Offset::UTC.to_datetime(timestamp);
        let year = u32::try_from(date.year()).unwrap_or(0);
        Self(year * 12 + u32::from(date.month().unsigned_abs()) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_of_utc() {
        let at = |text| Millis::parse(text).unwrap().day();
        assert_eq!(at("2026-11-22T00:30:00+02:00").to_string(), "2026-11-21");
        assert_eq!(at("2024-02-29T23:59:59.999Z").to_string(), "2024-02-29");
        assert_eq!(at("2024-03-01T00:00:00Z").minus(1), at("2024-02-29T12:00:00Z"));
        assert_eq!((Millis(-1).day(), Day(3).minus(9)), (Day(0), Day(0)));
    }

    #[test]
    fn shows_three_decimals_and_reads_itself_back() {
        for (ms, text) in [(0, "1970-01-01T00:00:00.000Z"), (1_700_000_000_120, "2023-11-14T22:13:20.120Z")] {
            assert_eq!(Millis(ms).to_string(), text);
            assert_eq!(Millis::parse(text), Some(Millis(ms)));
        }
        assert_eq!(Millis::parse("2023-11-14T23:13:20.12+01:00"), Some(Millis(1_700_000_000_120)));
        assert_eq!(Millis::parse("yesterday"), None);
    }

    #[test]
    fn months_begin_at_midnight_of_utc() {
        let month = |t: &str| Month::of(Millis::parse(t).unwrap());
        assert_eq!(month("2026-11-01T00:00:00Z"), Month(2026 * 12 + 10));
        assert_eq!(month("2026-10-31T23:59:59.999Z"), Month(2026 * 12 + 9));
        assert_eq!(month("2026-12-31T23:30:00-01:00"), Month(2027 * 12));
    }
}
