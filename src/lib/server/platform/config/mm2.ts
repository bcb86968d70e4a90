/** The settings file of a trading node, `MM2.json`: its address and its RPC password. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError, isAppError } from '../errors/appError.ts';
import { certificatesOf } from './certificate.ts';
import type { CertificateTrust, KdfConfig } from './types.ts';

export const MM2_FILE = 'MM2.json';

/** KDF 2.5.1: default RPC port. */
const DEFAULT_PORT = 7783;

/** KDF 2.5.1: the port is a number or a string. Other members are not read: they hold keys. */
const Settings = z.object({
	rpc_password: z.string().min(1).optional(),
	rpcip: z.string().min(1).optional(),
	rpcport: z.union([z.number(), z.string().regex(/^\d{1,5}$/)]).optional(),
	https: z.boolean().optional()
});

/** A node that listens on all addresses is reached through loopback. */
function hostOf(rpcip: string | undefined): string {
	if (rpcip === undefined || rpcip === '0.0.0.0') return '127.0.0.1';
	if (rpcip === '::') return '[::1]';
	return rpcip.includes(':') && !rpcip.startsWith('[') ? `[${rpcip}]` : rpcip;
}

/**
 * Reads the URL and the password.
 * @throws {AppError} `mm2`
 */
export function readMm2(file: string): { url: string; password: string } {
	let content: unknown;
	try {
		content = JSON.parse(readFileSync(file, 'utf8'));
	} catch (cause) {
		// A JSON parser's message quotes the text, which holds the passphrase, so it is dropped.
		throw new AppError(cause instanceof SyntaxError ? 'mm2.not-json' : 'mm2.unreadable', { file });
	}
	const settings = Settings.safeParse(content);
	if (!settings.success) {
		const member = settings.error.issues[0]?.path.join('.') ?? '';
		throw member === ''
			? new AppError('mm2.no-settings', { file })
			: new AppError('mm2.member-unusable', { file, member });
	}
	const { rpc_password: password, rpcip, rpcport = DEFAULT_PORT, https } = settings.data;
	const port = Number(rpcport);
	if (port === 0) throw new AppError('mm2.port-zero', { file });
	if (!Number.isInteger(port) || port < 1 || port > 65535) {
		throw new AppError('mm2.port-invalid', { file });
	}
	const url = `${https === true ? 'https' : 'http'}://${hostOf(rpcip)}:${port}/`;
	if (!URL.canParse(url)) throw new AppError('mm2.address-invalid', { file });
	if (password === undefined) throw new AppError('mm2.no-password', { file });
	return { url, password };
}

/** KDF 2.5.1: without `MM_CERT_PATH` the certificate is this file. */
const CERTIFICATE_FILE = 'cert.pem';

/** Returns the certificate next to the settings file of an https node; an empty object when there is none. */
export function ownCertificate(file: string, url: string): { trust?: CertificateTrust } {
	if (!url.startsWith('https:')) return {};
	const pem = join(dirname(file), CERTIFICATE_FILE);
	try {
		return certificatesOf(pem).length > 0 ? { trust: { kind: 'file', file: pem } } : {};
	} catch {
		return {};
	}
}

/** Returns the node of a settings file; null, with a note, when the file cannot be used. */
export function readKdf(file: string, id: string, notes: string[]): KdfConfig | null {
	try {
		const { url } = readMm2(file);
		const credentials = { kind: 'mm2', file } as const;
		return { id, url, credentials, dialect: null, ...ownCertificate(file, url) };
	} catch (error) {
		if (!isAppError(error, 'mm2')) throw error;
		notes.push(error.message);
		return null;
	}
}
