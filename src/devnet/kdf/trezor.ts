import type { JsonValue } from '#lib/rpc/json.ts';
import { int } from '../rpc/coins.ts';
import type { KdfContext, V2Method } from './context.ts';
import { hardwareError, pinIsRight } from './deviceSteps.ts';
import { KdfError } from './error.ts';
import { exactU64, fallback, optional, string, struct } from './serde.ts';
import { ActionTimeout, type TaskHandle } from './tasks.ts';

/** Longer than for activations. */
const WAIT_SECONDS = 600;

const initRequest = struct('InitHwRequest', {
	device_pubkey: optional(string),
	client_id: fallback(exactU64, 0n)
});
const connectionRequest = struct('TrezorConnectionStatusReq', { device_pubkey: optional(string) });

const unexpectedDevice = (): KdfError =>
	new KdfError(
		410,
		'HwError',
		'Found unexpected device. Please re-initialize Hardware wallet',
		'FoundUnexpectedDevice'
	);

async function setUp(
	context: KdfContext,
	wanted: string | undefined,
	handle: TaskHandle
): Promise<JsonValue> {
	const { device } = context;
	try {
		await handle.step('Initializing');
		await handle.until('WaitingForTrezorToConnect', () => device.isPlugged, WAIT_SECONDS);
		await handle.step('Initializing');
		const right = await pinIsRight(context, handle, WAIT_SECONDS);
		if (!device.isPlugged) throw hardwareError('NoTrezorDeviceAvailable');
		await handle.step('Initializing');
		if (!right) throw hardwareError('InvalidPin');
	} catch (cause) {
		if (!(cause instanceof ActionTimeout)) throw cause;
		const { seconds } = cause;
		throw new KdfError(408, 'Timeout', cause.message, { secs: int(seconds), nanos: int(0) });
	}
	if (wanted !== undefined && wanted !== device.pubkey) throw unexpectedDevice();
	context.deviceReady = true;
	return {
		type: 'Trezor',
		model: 'One',
		device_name: 'Devnet device',
		device_id: device.id,
		device_pubkey: device.pubkey
	};
}

const init: V2Method = (context, params) => {
	const given = params === null && context.rules.build === '3.0.0' ? {} : params;
	const { device_pubkey: wanted, client_id: client } = initRequest(given);
	const busy = context.tasks
		.list()
		.some(({ family, state }) => family === 'init_trezor' && !['Ok', 'Error'].includes(state));
	if (busy) {
		throw new KdfError(
			400,
			'HwContextInitializingAlready',
			'Hardware Wallet context is initializing already'
		);
	}
	const id = context.tasks.start(
		'init_trezor',
		'device',
		'Initializing',
		(handle) => setUp(context, wanted, handle),
		{
			client,
			onCancel: () => {
				context.deviceReady = false;
			}
		}
	);
	return { task_id: int(id) };
};

const connectionStatus: V2Method = (context, params) => {
	const { device_pubkey: wanted } = connectionRequest(params);
	if (!context.deviceReady) {
		throw new KdfError(400, 'TrezorNotInitialized', 'Trezor is not initialized yet');
	}
	if (wanted !== undefined && wanted !== context.device.pubkey) {
		throw new KdfError(500, 'FoundUnexpectedDevice', 'Found unexpected device');
	}
	return { status: context.device.isPlugged ? 'Connected' : 'Unreachable' };
};

/** Methods for the hardware wallet; the interface document has none of them. */
export const trezorMethods: ReadonlyMap<string, V2Method> = new Map([
	['task::init_trezor::init', init],
	['trezor_connection_status', connectionStatus]
]);
