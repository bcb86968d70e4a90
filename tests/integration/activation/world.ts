/** A console with a scripted trading node and small Electrum servers, and a clock that a test controls. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuseFormerAdmin, type AccountsOnly } from '#lib/server/access/identity/formerAdmin.ts';
import { createAudit, type Audit } from '#lib/server/access/audit/audit.ts';
import {
	createSafetyControls,
	type SafetyControls
} from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import type { Rights } from '#lib/server/access/rights/rights.ts';
import { createActivations, type Activations } from '#lib/server/kdf/activations.ts';
import type { ActivationRow } from '#lib/server/kdf/activation/activationRow.ts';
import type { Failure } from '#lib/messages/errors/activation.ts';
import { initialFields, type Typed } from '#lib/server/kdf/forms/fields.ts';
import { readForm, type FormRead } from '#lib/server/kdf/forms/readForm.ts';
import type { ActivationMethod } from '#lib/server/kdf/coins/methods.ts';
import { explainActivation, type FailureWords } from '../../../src/routes/kdf/failureWords.ts';
import { createKdfGateway } from '#lib/server/kdf/client/kdfGateway.ts';
import { createKdfStops } from '#lib/server/kdf/client/kdfStops.ts';
import type { KdfGateway } from '#lib/server/kdf/client/kdfTypes.ts';
import { readPrivateList } from '#lib/server/platform/net/ranges.ts';
import { createCipher } from '#lib/server/platform/secrets/encrypt.ts';
import type { TestDatabase } from '../../support/database.ts';
import { permissiveRights } from '../../support/permissive.ts';
import { electrum, lines, plainServer, type TestServer } from '../egress/servers.ts';
import { PASSWORD, ScriptedKdf } from './scriptedNode.ts';
import { gatewayBefore } from '../../support/daemons.ts';
import { nodeConfig } from '../../support/nodes.ts';

export const NODE = 'node-1';
const cipher = createCipher([new Uint8Array(32).fill(7)]);

const CONTRACT = '0x083C32B38e8050473f6999e22f670d1404235592';

/** A coins file with coins of every kind that the tests need; `servers` are `host:port`. */
const coinsFile = (servers: readonly string[], lightServers: readonly string[]): unknown => {
	const electrumList = servers.map((url) => ({ url, protocol: 'TCP' }));
	const base = {
		pubtype: 60,
		sign_message_prefix: 'Komodo Signed Message:\n',
		protocol: { type: 'UTXO' }
	};
	return {
		KMD: {
			...base,
			coin: 'KMD',
			fname: 'Komodo',
			mm2: 1,
			required_confirmations: 2,
			requires_notarization: true,
			derivation_path: "m/44'/141'",
			electrum: electrumList
		},
		DOC: { ...base, coin: 'DOC', electrum: electrumList },
		BCH: {
			coin: 'BCH',
			mm2: 1,
			protocol: { type: 'BCH', protocol_data: { slp_prefix: 'simpleledger' } },
			address_format: { format: 'cashaddress', network: 'bitcoincash' },
			bchd_urls: ['https://bchd.example'],
			electrum: electrumList
		},
		ARRR: {
			coin: 'ARRR',
			protocol: { type: 'ZHTLC', protocol_data: {} },
			electrum: electrumList,
			light_wallet_d_servers: lightServers
		},
		ETH: { coin: 'ETH', protocol: { type: 'ETH', protocol_data: { chain_id: 1 } } },
		USDC: {
			coin: 'USDC-ERC20',
			protocol: { type: 'ERC20', protocol_data: { platform: 'ETH', contract_address: CONTRACT } }
		},
		DAI: {
			coin: 'DAI-ERC20',
			required_confirmations: 20,
			protocol: { type: 'ERC20', protocol_data: { platform: 'ETH', contract_address: CONTRACT } }
		},
		GONE: { coin: 'GONE', mm2: 1, protocol: { type: 'UTXO' }, electrum: [{ url: '127.0.0.1:1' }] }
	};
};

export interface World {
	node: ScriptedKdf;
	electrum: TestServer;
	activations: Activations;
	gateway: KdfGateway;
	safetyControls: SafetyControls;
	audit: Audit;
	/** Advances the clock and runs everything that is due. */
	pass(seconds: number): Promise<void>;
	now(): number;
	/** Fills in the form as shown, with changes, and parses it. */
	fill(
		coin: string,
		method: ActivationMethod,
		change?: Partial<Typed>,
		mayName?: boolean
	): Promise<FormRead>;
	/** Fills in the form and starts the activation. */
	begin(
		coin: string,
		method: ActivationMethod,
		change?: Partial<Typed>,
		by?: string
	): Promise<string>;
	row(id: string): Promise<ActivationRow>;
	/** The reason why it waits or ended, as shown to members. */
	words(id: string): Promise<FailureWords>;
	/** A console restarted over the same database. */
	restarted(): Promise<Activations>;
	/** A restarted console whose configuration has no trading node any more. */
	withoutNodes(): Promise<Activations>;
	close(): Promise<void>;
}

/** Tables that a test fills; those with foreign keys first. */
const TABLES = [
	...['activation_events', 'activations', 'kdf_stops'],
	...['listed_servers', 'safety_controls', 'swap_settings']
] as const;

/** Creates it over a database without data of other tests. */
export async function createWorld(
	database: TestDatabase,
	more: {
		privateServers?: string;
		dead?: number;
		lightServers?: readonly string[];
		/** By default everyone may do everything. */
		rights?: Pick<Rights, 'activationRefusal' | 'endRefusal' | 'giveBackActivation'>;
		/** The audit log of a database with accounts. */
		audit?: Audit;
	} = {}
): Promise<World> {
	const folder = mkdtempSync(join(tmpdir(), 'komodeck-activation-'));
	const node = await new ScriptedKdf().start();
	const alive = await plainServer(lines(electrum()));
	const dead = await plainServer((socket) => socket.end());
	await dead.stop();
	const file = join(folder, 'coins_config.json');
	writeFileSync(
		file,
		JSON.stringify(
			coinsFile([`127.0.0.1:${alive.port}`, `127.0.0.1:${dead.port}`], more.lightServers ?? [])
		)
	);
	const { db } = database;
	for (const table of TABLES) await db.deleteFrom(table).execute();
	const audit = more.audit ?? createAudit(db, Buffer.alloc(32, 7));
	const safetyControls = createSafetyControls(db, audit);
	let time = Date.now();
	const config = {
		nodes: [nodeConfig({ id: NODE, url: node.url, password: PASSWORD, dialect: 'kdf' })],
		daemons: [],
		coinsFile: file,
		privateServers: readPrivateList(more.privateServers ?? '127.0.0.1', 'TEST')
	};
	const gatewayTo = (configured: typeof config.nodes): KdfGateway =>
		createKdfGateway(
			{ nodes: configured },
			{
				stops: createKdfStops(db),
				audit,
				pollEvery: null,
				eventWaits: { first: 5, last: 40 },
				deadlines: { read: 1_000, send: 1_000, slow: 1_000, build: 1_000 },
				refusal: (method) => safetyControls.refusal(method)
			}
		);
	const nodes = gatewayTo(config.nodes);
	const gateway = gatewayBefore();
	const create = (known: KdfGateway = nodes): Promise<Activations> =>
		createActivations({
			db,
			audit,
			cipher,
			gateway,
			nodes: known,
			rights: more.rights ?? permissiveRights(gateway),
			refuseFormerAdmin: (trx, by) => refuseFormerAdmin(trx.withTables<AccountsOnly>(), by),
			config,
			devnet: false,
			clock: () => time
		});
	const activations = await create();
	const offer = async (coin: string, method: ActivationMethod) => {
		const found = await activations.coins.find(coin);
		if (!found) throw new Error(`no coin ${coin}`);
		return { coin: found, method, servers: await activations.serversOf(found, false) };
	};
	const world: World = {
		node,
		electrum: alive,
		activations,
		gateway: nodes,
		safetyControls,
		audit,
		async pass(seconds) {
			time += seconds * 1_000;
			await activations.advanceDue();
		},
		now: () => time,
		async fill(coin, method, change = {}, mayName = false) {
			const one = await offer(coin, method);
			return readForm({ ...initialFields(one), ...change }, { ...one, sockets: false, mayName });
		},
		async begin(coin, method, change = {}, by = 'ada') {
			const read = await world.fill(coin, method, change, true);
			if (!read.ok) throw new Error(JSON.stringify(read.errors));
			const { id } = await activations.begin({ node: NODE, coin, method, params: read.params, by });
			return id;
		},
		async row(id) {
			const row = await activations.get(id);
			if (!row) throw new Error(`no activation ${id}`);
			return row;
		},
		async words(id) {
			const row = await world.row(id);
			if (row.failure === null) throw new Error(`nothing failed: ${row.state}`);
			return explainActivation(
				{ node: NODE, coin: row.coin, method: row.method, wrongPins: Number(row.wrong_pins) },
				JSON.parse(row.failure) as Failure
			);
		},
		restarted: () => create(),
		withoutNodes: () => create(gatewayTo([])),
		async close() {
			await activations.stop();
			await nodes.close();
			await gateway.close();
			await Promise.all([node.stop(), alive.stop()]);
			rmSync(folder, { recursive: true, force: true });
		}
	};
	return world;
}
