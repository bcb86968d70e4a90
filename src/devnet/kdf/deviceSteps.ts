import type { KdfContext } from './context.ts';
import type { DeviceFailure } from './device.ts';
import { KdfError } from './error.ts';
import { wordsOf } from './rules.ts';
import type { TaskHandle } from './tasks.ts';
import { CoinProblem } from './utxo.ts';

/** How long a task waits for a device or a user, in seconds. */
const WAIT_SECONDS = 300;

const TEXTS: Readonly<Record<DeviceFailure, string>> = {
	InvalidPin: 'Invalid PIN',
	UserCancelled: 'User cancelled action',
	NoTrezorDeviceAvailable: 'No Trezor device available'
};

/** Converts a failure of the device to an error. */
export const hardwareError = (failure: DeviceFailure): KdfError =>
	new KdfError(410, 'HwError', TEXTS[failure], failure, {
		path: 'init_hw.crypto_ctx.hw_client',
		trace: 'init_hw:151] crypto_ctx:248] crypto_ctx:354] hw_client:152]'
	});

/** Asks for the PIN, as positions on the displayed grid; false when it is wrong. */
export async function pinIsRight(
	{ device }: KdfContext,
	handle: TaskHandle,
	seconds: number
): Promise<boolean> {
	if (!device.wantsPin) return true;
	device.showGrid();
	try {
		const { text } = await handle.ask('pin', seconds);
		return device.enter(text);
	} finally {
		device.hideGrid();
	}
}

/**
 * Performs an activation's steps on the device: instructions on its display, and the PIN. In the interface
 * document a missing device is waited for; the release requires it to be connected.
 */
export async function devicePin(
	context: KdfContext,
	handle: TaskHandle,
	backTo: string
): Promise<void> {
	const { device, rules } = context;
	if (!device.isPlugged) {
		if (!rules.seedForms) throw hardwareError('NoTrezorDeviceAvailable');
		await handle.until(wordsOf(rules).waitingForDevice, () => device.isPlugged, WAIT_SECONDS);
	}
	await handle.step('FollowHwDeviceInstructions');
	const right = await pinIsRight(context, handle, WAIT_SECONDS);
	if (!device.isPlugged) throw hardwareError('NoTrezorDeviceAvailable');
	await handle.step(backTo);
	if (right) return;
	if (rules.seedForms) throw hardwareError('InvalidPin');
	throw new CoinProblem('creation', 'InvalidPin', '');
}
