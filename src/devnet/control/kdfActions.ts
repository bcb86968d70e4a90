import { LINES, type ElectrumServer } from '../electrum/server.ts';
import { selfSigned } from '../electrum/certificate.ts';
import type { Network } from '../network.ts';
import { ControlError, flag, text, value, whole, type Body } from './body.ts';
import { showFault } from './fault.ts';

/** The other faults are those of daemons. */
const NODE_FAULTS = ['none', 'latency', 'drop', 'truncate', 'wrong-password', 'down'] as const;

type Action = (network: Network, body: Body) => unknown;

const isGiven = (body: Body, name: string): boolean => value(body, name) !== undefined;

const kdfState = ({ trading }: Network) => {
	const { node, electrum, evm, lightwalletd } = trading;
	const { device, context } = node;
	return {
		url: `${node.certificate === null ? 'http' : 'https'}://127.0.0.1:${node.access.port}`,
		open: node.http.isOpen,
		hd: node.access.isHd,
		faults: node.faults.list(),
		wrongPasswords: node.gate.counts(),
		coins: context.coins.all().map(({ ticker }) => ({
			ticker,
			passive: context.coins.isPassive(ticker)
		})),
		tasks: context.tasks.list(),
		held: context.tasks.held,
		device: {
			plugged: device.isPlugged,
			ready: context.deviceReady,
			pin: device.pin,
			asksAlways: device.asksAlways,
			/**
			 * Digits on the device's display from the top left, and the keys to press for the PIN; null while
			 * no digits are shown.
			 */
			grid: device.grid,
			positions: device.rightPositions,
			wrongPins: device.wrongPins,
			pubkey: device.pubkey
		},
		electrum: electrum.map((server) => ({
			ticker: server.ticker,
			ports: server.ports,
			latency: server.latency,
			open: LINES.filter((line) => server.isOpen(line))
		})),
		evm: { port: evm.port, open: evm.isOpen, refuses: evm.refuses },
		lightwalletd: { port: lightwalletd.port, open: lightwalletd.isOpen }
	};
};

const state: Action = (network) => kdfState(network);

/** Restarts the node. `hd` switches between a single key and HD keys, `https` between plain HTTP and TLS. */
const restart: Action = async (network, body) => {
	const { node } = network.trading;
	if (isGiven(body, 'hd')) node.access.isHd = flag(body, 'hd');
	if (isGiven(body, 'https')) node.certificate = flag(body, 'https') ? selfSigned() : null;
	await node.restart();
	network.writeKdfFiles();
	network.saveSoon();
	return kdfState(network);
};

/** `zcashParams`: whether the proving keys of shielded coins exist on the node's disk. */
const disk: Action = (network, body) => {
	const { node } = network.trading;
	node.hasZcashParams = flag(body, 'zcashParams');
	return { zcashParams: node.hasZcashParams };
};

const device: Action = (network, body) => {
	const { device: one } = network.trading.node;
	if (isGiven(body, 'plugged')) one.plug(flag(body, 'plugged'));
	if (isGiven(body, 'asksAlways')) one.asksAlways = flag(body, 'asksAlways');
	if (isGiven(body, 'pin')) {
		const pin = text(body, 'pin');
		if (!/^[1-9]{1,9}$/.test(pin)) throw new ControlError(400, 'pin must be 1 to 9 digits, no 0');
		one.pin = pin;
	}
	return kdfState(network).device;
};

/** Holds every task in its step, or in any step not polled yet, releases them, or sets their pace. */
const tasks: Action = (network, body) => {
	const { tasks: all } = network.trading.node.context;
	if (isGiven(body, 'hold')) all.held = flag(body, 'hold');
	if (isGiven(body, 'untilSeen')) all.untilSeen = flag(body, 'untilSeen');
	if (isGiven(body, 'paceMs')) all.paceMs = whole(body, 'paceMs', null, 60_000);
	return { held: all.held, paceMs: all.paceMs, tasks: all.list() };
};

const fault: Action = (network, body) => showFault(network.trading.node, body, NODE_FAULTS);

/**
 * Has the node leave the member at `path` out of the results of a method, or write `value` there, which is null or a
 * text. Without a method, results are complete again.
 */
const results: Action = (network, body) => {
	const { node } = network.trading;
	const [path, to] = [value(body, 'path'), value(body, 'value')];
	if (to !== undefined && to !== null && typeof to !== 'string') {
		throw new ControlError(400, 'value must be null or a string');
	}
	if (isGiven(body, 'method')) {
		if (!Array.isArray(path) || !path.every((name): name is string => typeof name === 'string')) {
			throw new ControlError(400, 'path must be a list of names');
		}
		node.alteration = { method: text(body, 'method'), path, value: to };
	} else node.alteration = null;
	return { alteration: node.alteration };
};

/** Approves the oldest pending connection to a remote signer. */
const agree: Action = (network) => {
	const { sessions, clock } = network.trading.node.context;
	const session = sessions.agree(clock());
	if (!session) throw new ControlError(409, 'the node asks for no connection');
	return { topic: session.topic };
};

const electrumOf = (network: Network, body: Body): ElectrumServer => {
	const ticker = text(body, 'ticker');
	const found = network.trading.electrum.find((server) => server.ticker === ticker);
	if (!found) throw new ControlError(400, 'there is no such Electrum server');
	return found;
};

/** Opens or closes an Electrum server, on one port (`tcp`, `ssl`) or both, or sets its latency. */
const electrum: Action = async (network, body) => {
	const server = electrumOf(network, body);
	const line = value(body, 'line');
	const lines = LINES.filter((one) => line === undefined || one === line);
	if (lines.length === 0) throw new ControlError(400, 'line must be tcp or ssl');
	if (isGiven(body, 'up')) {
		const up = flag(body, 'up');
		for (const one of lines) await (up ? server.open(one) : server.close(one));
	}
	if (isGiven(body, 'latency')) server.latency = whole(body, 'latency', null, 600_000);
	return { open: LINES.filter((one) => server.isOpen(one)), latency: server.latency };
};

/** Opens or closes the server of the EVM chain, or has it refuse one method; null for none. */
const evm: Action = async (network, body) => {
	const { evm: server } = network.trading;
	if (isGiven(body, 'up')) await (flag(body, 'up') ? server.open() : server.close());
	if (isGiven(body, 'refuses')) {
		server.refuses = value(body, 'refuses') === null ? null : text(body, 'refuses');
	}
	return { open: server.isOpen, refuses: server.refuses };
};

const lightwalletd: Action = async (network, body) => {
	const { lightwalletd: server } = network.trading;
	await (flag(body, 'up') ? server.open() : server.close());
	return { open: server.isOpen };
};

/** Actions of the control API for the trading node and its servers. */
export const kdfActions: readonly (readonly [string, Action])[] = [
	['GET /node', state],
	['POST /node/restart', restart],
	['POST /node/device', device],
	['POST /node/disk', disk],
	['POST /node/tasks', tasks],
	['POST /node/fault', fault],
	['POST /node/results', results],
	['POST /node/agree', agree],
	['POST /electrum', electrum],
	['POST /evm', evm],
	['POST /lightwalletd', lightwalletd]
];
