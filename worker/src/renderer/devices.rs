//! The devices that render, and what happens to a page when one of them fails.
//!
//! A page goes to the device with the fewest pages in flight. A device that is lost is reopened once; one that is lost
//! again before it has rendered [`PROVEN`] pages stays down. The CPU renders what no device can: it needs no device.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use fleet::failpoint::fault;
use parking_lot::RwLock;
use render_core::raster::{DeviceFault, Pixmap, RasterError, Rasteriser};
use render_core::scene::{Canvas, Scene};
use render_core::text::Fonts;
use tokio_util::sync::CancellationToken;

use crate::metrics::{DEVICE_EVENT_NAMES, DEVICE_EVENTS, DRAWN};

/// Pages after which a reopened device counts as reliable.
const PROVEN: u64 = 1_000;

/// Opens a device's rasteriser, at the start and after the device was lost.
pub type Open = Box<dyn Fn() -> Result<Box<dyn Rasteriser>, String> + Send + Sync>;

/// All devices, and the CPU as the fallback.
pub(super) struct Devices {
    slots: Vec<Slot>,
    cpu: Box<dyn Rasteriser>,
    /// Cancelled once every device is given up.
    bare: CancellationToken,
}

struct Slot {
    name: String,
    open: Open,
    state: RwLock<State>,
    /// Pages in flight.
    busy: AtomicUsize,
    /// Pages rendered since the device was opened.
    drawn: AtomicU64,
}

struct State {
    /// `None` once the device is given up.
    rasteriser: Option<Arc<dyn Rasteriser>>,
    /// How often the device was reopened.
    remade: u64,
}

impl Devices {
    /// Returns the devices by name, each with its rasteriser and how to reopen it.
    pub fn new(cpu: Box<dyn Rasteriser>, devices: Vec<(String, Box<dyn Rasteriser>, Open)>) -> Self {
        let slot = |(name, rasteriser, open): (String, Box<dyn Rasteriser>, Open)| Slot {
            name,
            open,
            state: RwLock::new(State { rasteriser: Some(Arc::from(rasteriser)), remade: 0 }),
            busy: AtomicUsize::new(0),
            drawn: AtomicU64::new(0),
        };
        let slots: Vec<_> = devices.into_iter().map(slot).collect();
        for (slot, event) in slots.iter().flat_map(|slot| DEVICE_EVENT_NAMES.map(|event| (slot, event))) {
            slot.count(event, 0);
        }
        Self { slots, cpu, bare: CancellationToken::new() }
    }

    /// Cancelled once every device is given up, and the CPU alone renders.
    pub fn bare(&self) -> &CancellationToken {
        &self.bare
    }

    /// Returns the names of what renders, for the log.
    pub fn names(&self) -> Vec<&str> {
        self.slots.iter().map(|s| s.name.as_str()).chain([self.cpu.name()]).collect()
    }

    /// Renders on the CPU.
    ///
    /// # Errors
    /// [`RasterError`] if the canvas or the scene exceeds a limit.
    pub fn on_cpu(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts, out: &mut Pixmap) -> Result<(), RasterError> {
        self.cpu.draw(scene, canvas, fonts, out)
    }

    /// Renders on a device, or on the CPU if no device is left or able to.
    ///
    /// # Errors
    /// As for [`Devices::on_cpu`].
    pub fn draw(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts, out: &mut Pixmap) -> Result<(), RasterError> {
        // A device that is lost and reopened gets the page once more.
        for _ in 0..2 {
            let Some((slot, rasteriser, remade)) = self.free() else { break };
            let in_hand = InHand::of(slot);
            let result = match fault("device lost") {
                true => Err(RasterError::Device { fault: DeviceFault::Lost, message: "by a test".into() }),
                false => rasteriser.draw(scene, canvas, fonts, out),
            };
            drop(in_hand);
            let Err(error) = &result else {
                slot.drawn.fetch_add(1, Relaxed);
                metrics::counter!(DRAWN, "device" => slot.name.clone()).increment(1);
                return result;
            };
            match error.device_fault() {
                None => return result,
                Some(DeviceFault::Lost) => {
                    slot.lost(remade, error);
                    if self.free().is_none() {
                        self.bare.cancel();
                    }
                }
                Some(DeviceFault::Declined) => {
                    slot.event("declined");
                    tracing::warn!(device = slot.name, %error, "device declined a page: the CPU renders it");
                    break;
                }
            }
        }
        self.on_cpu(scene, canvas, fonts, out)?;
        metrics::counter!(DRAWN, "device" => self.cpu.name()).increment(1);
        Ok(())
    }

    /// Returns the device with the fewest pages in flight.
    fn free(&self) -> Option<(&Slot, Arc<dyn Rasteriser>, u64)> {
        let up = self.slots.iter().filter_map(|slot| {
            let state = slot.state.read();
            Some((slot, Arc::clone(state.rasteriser.as_ref()?), state.remade))
        });
        up.min_by_key(|(slot, ..)| slot.busy.load(Relaxed))
    }
}

/// A page in flight, until this is dropped, also when its rendering is cancelled.
struct InHand<'a>(&'a Slot);

impl<'a> InHand<'a> {
    fn of(slot: &'a Slot) -> Self {
        slot.busy.fetch_add(1, Relaxed);
        Self(slot)
    }
}

impl Drop for InHand<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Relaxed);
    }
}

impl Slot {
    /// Reopens the device, or gives it up. `remade` is its value when the page was begun: another page may have
    /// reported the loss since.
    fn lost(&self, remade: u64, error: &RasterError) {
        let mut state = self.state.write();
        if state.remade != remade || state.rasteriser.is_none() {
            return;
        }
        self.event("lost");
        // Closed before it is reopened: a driver may allow a device only once.
        state.rasteriser = None;
        if remade > 0 && self.drawn.load(Relaxed) < PROVEN {
            tracing::error!(device = self.name, %error, "device lost again: the CPU renders from now on");
            return self.event("given_up");
        }
        match (self.open)() {
            Ok(rasteriser) => {
                tracing::warn!(device = self.name, %error, "device lost and reopened");
                self.event("remade");
                self.drawn.store(0, Relaxed);
                *state = State { rasteriser: Some(Arc::from(rasteriser)), remade: remade + 1 };
            }
            Err(reason) => {
                tracing::error!(device = self.name, %error, reason, "device lost: the CPU renders from now on");
                self.event("given_up");
            }
        }
    }

    fn event(&self, event: &'static str) {
        self.count(event, 1);
    }

    fn count(&self, event: &'static str, times: u64) {
        metrics::counter!(DEVICE_EVENTS, "device" => self.name.clone(), "event" => event).increment(times);
    }
}

#[cfg(test)]
mod tests {

    use parking_lot::Mutex;
    use render_core::raster::cpu::CpuRasteriser;
    use render_core::scene::{Color, Size};

    use super::*;

    /// Returns the faults that the test sets, then renders.
    struct Frail(Arc<Mutex<Vec<DeviceFault>>>);

    impl Rasteriser for Frail {
        fn name(&self) -> &'static str {
            "frail"
        }

        fn draw(&self, _: &Scene, _: Canvas, _: &Fonts, out: &mut Pixmap) -> Result<(), RasterError> {
            if let Some(fault) = self.0.lock().pop() {
                return Err(RasterError::Device { fault, message: "as told".into() });
            }
            *out = Pixmap { width: 0, height: 0, data: b"frail".to_vec() };
            Ok(())
        }
    }

    fn devices(faults: &[DeviceFault], reopens: bool) -> Devices {
        let told = Arc::new(Mutex::new(faults.to_vec()));
        let first = Box::new(Frail(Arc::clone(&told)));
        let open: Open = Box::new(move || match reopens {
            true => Ok(Box::new(Frail(Arc::clone(&told)))),
            false => Err("no driver".into()),
        });
        Devices::new(Box::new(CpuRasteriser::new()), vec![("frail".into(), first, open)])
    }

    fn empty() -> Scene {
        let (size, background) = (Size::new(8.0, 8.0), Color::WHITE);
        Scene { size, background, items: Vec::new(), layers: Vec::new(), blocks: Vec::new() }
    }

    /// Returns whether the device rendered, rather than the CPU.
    fn drawn_by_device(devices: &Devices) -> bool {
        let mut out = Pixmap { width: 0, height: 0, data: Vec::new() };
        devices.draw(&empty(), Canvas::new(8, 8), &Fonts::new(), &mut out).unwrap();
        out.data == b"frail"
    }

    #[test]
    fn a_lost_device_is_made_anew_and_draws_the_page() {
        let devices = devices(&[DeviceFault::Lost], true);
        assert!(drawn_by_device(&devices));
        assert!(drawn_by_device(&devices));
        assert!(!devices.bare().is_cancelled());
    }

    #[test]
    fn a_device_lost_again_leaves_everything_to_the_cpu() {
        let devices = devices(&[DeviceFault::Lost, DeviceFault::Lost], true);
        assert!(!drawn_by_device(&devices));
        assert!(!drawn_by_device(&devices), "it stays down");
        assert!(devices.bare().is_cancelled());
    }

    #[test]
    fn a_device_that_has_proven_itself_may_be_lost_again() {
        let devices = devices(&[DeviceFault::Lost], true);
        assert!(drawn_by_device(&devices));
        for _ in 0..PROVEN {
            assert!(drawn_by_device(&devices));
        }
        let state = devices.slots[0].state.read();
        let (rasteriser, remade) = (state.rasteriser.clone(), state.remade);
        drop((state, rasteriser));
        devices.slots[0].lost(remade, &RasterError::TooManyItems(0));
        assert!(drawn_by_device(&devices));
    }

    #[test]
    fn a_device_that_cant_be_made_anew_is_given_up() {
        let devices = devices(&[DeviceFault::Lost], false);
        assert!(!drawn_by_device(&devices));
        assert!(!drawn_by_device(&devices));
    }

    #[test]
    fn a_page_too_much_for_a_device_costs_it_nothing() {
        let devices = devices(&[DeviceFault::Declined], true);
        assert!(!drawn_by_device(&devices));
        assert!(drawn_by_device(&devices));
    }

    #[test]
    fn what_is_wrong_with_the_scene_is_no_fault_of_the_device() {
        let devices = Devices::new(Box::new(CpuRasteriser::new()), Vec::new());
        let mut out = Pixmap { width: 0, height: 0, data: Vec::new() };
        let drawn = devices.draw(&empty(), Canvas::new(0, 8), &Fonts::new(), &mut out);
        assert!(matches!(drawn, Err(RasterError::CanvasSize { .. })));
        assert!(!devices.bare().is_cancelled(), "there never was one");
    }
}
