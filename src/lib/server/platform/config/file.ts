import { CONFIG_NOTES } from '#lib/messages/configNotes.ts';
import { dirname } from 'node:path';
import { z } from 'zod';
import {
	FURTHER_ACCESS,
	mayBeFurther,
	type FurtherAccess
} from '#lib/rpc/daemon/furtherMethods.ts';
import { AppError } from '../errors/appError.ts';
import { certificatesOf } from './certificate.ts';
import { TRADING_NODE } from './discover.ts';
import { ownCertificate, readMm2 } from './mm2.ts';
import { namedPath, readNamed } from './namedFile.ts';
import { SignOnEntry, signOnOfFile } from './signOn.ts';
import type { CertificateTrust, DaemonConfig, KdfConfig, SignOnConfig } from './types.ts';

const Url = z.string().superRefine((text, context) => {
	const url = URL.canParse(text) ? new URL(text) : null;
	if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
		context.addIssue('must be an address like http://127.0.0.1:7771');
	} else if (url.username !== '' || url.password !== '') {
		context.addIssue('must not hold a login; use "user" and "password"');
	} else if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
		context.addIssue('must end after the port: a daemon answers at / only');
	}
});

const Pubkey = z
	.string()
	.regex(/^0[23][0-9a-f]{64}$/i, 'must be a compressed pubkey of 66 hex digits');

/** A port of this server that serves one daemon or trading node only. */
const OwnPort = z
	.int('must be a whole number')
	.min(1, 'must be a port, 1 to 65535')
	.max(65535, 'must be a port, 1 to 65535');

/** The id of a daemon or trading node. */
const ID = /^[A-Za-z0-9._-]+(:[A-Za-z0-9._-]+)?$/;

/** An additional method that the registry does not have. */
const FurtherMethod = z.strictObject({
	method: z
		.string()
		.refine(mayBeFurther, 'must name a read: no method that is known, nor one of wallets or keys'),
	access: z.enum(FURTHER_ACCESS, 'must be none, read or notary-query').default('none')
});

const Daemon = z
	.strictObject({
		id: z.string().regex(ID, 'must be like BETA or BETA:notary-1').optional(),
		chain: z.string().min(1, 'must name the chain').max(64, 'has at most 64 characters'),
		url: Url,
		user: z.string().optional(),
		password: z.string().min(1, 'must not be empty').optional(),
		cookieFile: z.string().min(1, 'must name a file').optional(),
		purposes: z
			.array(z.enum(['read', 'wallet', 'notary'], 'may hold read, wallet and notary'))
			.min(1, 'must hold at least one of read, wallet and notary')
			.default(['read', 'wallet']),
		dialect: z.enum(['komodod', 'seed'], 'must be komodod or seed').optional(),
		acImport: z.string().optional(),
		acPubkey: Pubkey.optional(),
		dataCarrierSize: z.int('must be a whole number').positive('must be above 0').optional(),
		furtherMethods: z
			.array(FurtherMethod, 'must be a list')
			.max(100, 'has at most 100 entries')
			.default([]),
		port: OwnPort.optional(),
		ccid: z.int('must be a whole number').optional(),
		pubkey: Pubkey.optional()
	})
	.superRefine((daemon, context) => {
		if ((daemon.password === undefined) === (daemon.cookieFile === undefined)) {
			context.addIssue('needs either "user" and "password", or "cookieFile"');
		} else if (daemon.password !== undefined && daemon.user === undefined) {
			context.addIssue('has a "password" but no "user"');
		}
	});

/** SHA-256 fingerprint as `openssl x509 -fingerprint -sha256` prints it, or without colons. */
const Fingerprint = z
	.string()
	.transform((text) => text.replaceAll(':', '').toLowerCase())
	.refine((text) => /^[0-9a-f]{64}$/.test(text), 'must be the 64 hex digits of a SHA-256');

const TradingNode = z
	.strictObject({
		id: z.string().regex(ID, 'must be like trading-node').default(TRADING_NODE),
		url: Url.optional(),
		password: z.string().min(1, 'must not be empty').optional(),
		mm2File: z.string().min(1, 'must name a file').optional(),
		certificateSha256: Fingerprint.optional(),
		certificateFile: z.string().min(1, 'must name a file').optional(),
		dialect: z.enum(['kdf', 'seed'], 'must be kdf or seed').optional(),
		port: OwnPort.optional()
	})
	.superRefine((node, context) => {
		if ((node.password === undefined) === (node.mm2File === undefined)) {
			context.addIssue('needs either "url" and "password", or "mm2File"');
		} else if (node.password !== undefined && node.url === undefined) {
			context.addIssue('has a "password" but no "url"');
		}
		if (node.certificateSha256 !== undefined && node.certificateFile !== undefined) {
			context.addIssue('takes either "certificateSha256" or "certificateFile"');
		}
	});

const File = z
	.strictObject({
		daemons: z.array(Daemon, '"daemons" must be a list').default([]),
		nodes: z.array(TradingNode, '"nodes" must be a list').default([]),
		signOn: SignOnEntry.optional()
	})
	.refine(({ daemons, nodes }) => daemons.length + nodes.length > 0, {
		path: ['daemons'],
		message: '"daemons" is empty'
	});

/**
 * Returns the certificate to trust that an entry names; an empty object when it names none. @throws {AppError}
 * `config`
 */
function trustOf(
	file: string,
	{ id, certificateSha256, certificateFile }: z.output<typeof TradingNode>
): { trust?: CertificateTrust } {
	if (certificateSha256 !== undefined)
		return { trust: { kind: 'sha256', sha256: certificateSha256 } };
	if (certificateFile === undefined) return {};
	const pem = namedPath(certificateFile, dirname(file));
	let found: number;
	try {
		found = certificatesOf(pem).length;
	} catch {
		throw new AppError('config.certificate-unreadable', { file: pem, id });
	}
	if (found === 0) throw new AppError('config.certificate-missing', { file: pem, id });
	return { trust: { kind: 'file', file: pem } };
}

/** Keeps the entries that have an access class: a method with class `none` stays refused for every role. */
const furtherMethods = (
	entries: readonly z.output<typeof FurtherMethod>[]
): ReadonlyMap<string, FurtherAccess> =>
	new Map(
		entries.flatMap(({ method, access }): [string, FurtherAccess][] =>
			access === 'none' ? [] : [[method, access]]
		)
	);

function tradingNode(file: string, entry: z.output<typeof TradingNode>): KdfConfig {
	const { id } = entry;
	const node = withoutTrust(file, entry);
	const trust = trustOf(file, entry);
	if (trust.trust === undefined && entry.mm2File !== undefined) {
		return { ...node, ...ownCertificate(namedPath(entry.mm2File, dirname(file)), node.url) };
	}
	if (trust.trust !== undefined && !node.url.startsWith('https:')) {
		throw new AppError('config.certificate-without-https', { file, id });
	}
	return { ...node, ...trust };
}

function withoutTrust(file: string, entry: z.output<typeof TradingNode>): KdfConfig {
	const { id } = entry;
	const rest = {
		dialect: entry.dialect ?? null,
		...(entry.port === undefined ? {} : { port: entry.port })
	};
	if (entry.mm2File === undefined) {
		const credentials = { kind: 'password', password: entry.password ?? '' } as const;
		return { id, url: new URL(entry.url ?? '').href, credentials, ...rest };
	}
	const mm2 = namedPath(entry.mm2File, dirname(file));
	const found = readMm2(mm2).url;
	const url = entry.url === undefined ? found : new URL(entry.url).href;
	return { id, url, credentials: { kind: 'mm2', file: mm2 }, ...rest };
}

/** Returns one sentence per mistake, starting with its path; zod's messages never quote the value. */
function sentences(file: string, error: z.ZodError): string[] {
	return error.issues.map((issue) => {
		const place = issue.path
			.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
			.join('')
			.replace(/^\./, '');
		return `${file}: ${place === '' ? '' : `${place}: `}${issue.message.replace(/\.$/, '')}.`;
	});
}

/**
 * Reads the configuration file: `{"daemons": [...], "nodes": [...], "signOn": {...}}`. Paths in it are relative
 * to the file's folder.
 * @throws {AppError} `config`, `mm2`
 */
export function readConfigFile(path: string): {
	daemons: DaemonConfig[];
	nodes: KdfConfig[];
	signOn: SignOnConfig | null;
} {
	const name = 'KOMODECK_CONFIG';
	const file = namedPath(path);
	let content: unknown;
	try {
		content = JSON.parse(readNamed(name, file));
	} catch (cause) {
		if (!(cause instanceof SyntaxError)) throw cause;
		// A JSON parser's message quotes the text, which holds passwords, so it is dropped.
		throw new AppError('config.file-not-json', { name, file });
	}
	const parsed = File.safeParse(content);
	if (!parsed.success) {
		throw new AppError('config.invalid', { problems: sentences(file, parsed.error) });
	}
	const daemons = parsed.data.daemons.map((entry): DaemonConfig => {
		const url = new URL(entry.url);
		return {
			id: entry.id ?? entry.chain,
			chain: entry.chain,
			url: url.href,
			credentials:
				entry.cookieFile === undefined
					? { kind: 'password', user: entry.user ?? '', password: entry.password ?? '' }
					: { kind: 'cookie', file: namedPath(entry.cookieFile, dirname(file)) },
			purposes: [...new Set(entry.purposes)],
			dialect: entry.dialect ?? null,
			acImport: entry.acImport ?? null,
			acPubkey: entry.acPubkey ?? null,
			dataCarrierSize: entry.dataCarrierSize ?? null,
			...(entry.furtherMethods.length === 0
				? {}
				: { furtherMethods: furtherMethods(entry.furtherMethods) }),
			...(entry.port === undefined ? {} : { port: entry.port }),
			expect: { ccid: entry.ccid ?? null, pubkey: entry.pubkey ?? null }
		};
	});
	const again = (member: 'id' | 'port'): DaemonConfig[] =>
		daemons.filter(
			(daemon, index) =>
				daemon[member] !== undefined &&
				daemons.findIndex((other) => other[member] === daemon[member]) !== index
		);
	const problems = [
		...again('id').map(({ id }) => CONFIG_NOTES.daemonsOfId(file, id)),
		...again('port').map(({ port }) => CONFIG_NOTES.daemonsOnPort(file, port))
	];
	const nodes = parsed.data.nodes.map((entry) => tradingNode(file, entry));
	for (const [index, { id, port }] of nodes.entries()) {
		const others = [...daemons, ...nodes.slice(0, index)];
		if (port !== undefined && others.some((other) => other.port === port)) {
			problems.push(CONFIG_NOTES.upstreamsOnPort(file, port));
		}
		const taken =
			daemons.some((daemon) => daemon.id === id) ||
			nodes.findIndex((other) => other.id === id) !== index;
		if (taken) problems.push(CONFIG_NOTES.upstreamsOfId(file, id));
	}
	if (problems.length > 0) throw new AppError('config.invalid', { problems });
	const { signOn } = parsed.data;
	return { daemons, nodes, signOn: signOn === undefined ? null : signOnOfFile(file, signOn) };
}
