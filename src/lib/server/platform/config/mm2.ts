/** The settings of a trading node, `MM2.json`: where it listens and with which password. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError, isAppError } from '../errors/appError.ts';
import { certificatesOf } from './certificate.ts';
import type { CertificateTrust, KdfConfig } from './types.ts';

export const MM2_FILE = 'MM2.json';

/** KDF 2.5.1: without `rpcport` the node listens here. */
const DEFAULT_PORT = 7783;

/** KDF 2.5.1: the port is a number or its text. Other members are not looked at: they hold keys. */
const Settings = z.object({
	rpc_password: z.string().min(1).optional(),
	rpcip: z.string().min(1).optional(),
	rpcport: z.union([z.number(), z.string().regex(/^\d{1,5}$/)]).optional(),
	https: z.boolean().optional()
});

/** A node that listens everywhere is reached on this machine. */
function hostOf(rpcip: string | undefined): string {
	if (rpcip === undefined || rpcip === '0.0.0.0') return '127.0.0.1';
	if (rpcip === '::') return '[::1]';
	return rpcip.includes(':') && !rpcip.startsWith('[') ? `[${rpcip}]` : rpcip;
}

/**
 * What the file says.
 * @throws {AppError} `mm2`
 */
export function readMm2(file: string): { url: string; password: string } {
	let content: unknown;
	try {
		content = JSON.parse(readFileSync(file, 'utf8'));
	} catch (cause) {
		// A JSON parser's message quotes the text, which holds the passphrase: it is not passed on.
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

/** The certificate that lies beside the settings of a node over https; an empty object where there is none. */
export function ownCertificate(file: string, url: string): { trust?: CertificateTrust } {
	if (!url.startsWith('https:')) return {};
	const pem = join(dirname(file), CERTIFICATE_FILE);
	try {
		return certificatesOf(pem).length > 0 ? { trust: { kind: 'file', file: pem } } : {};
	} catch {
		return {};
	}
}

/** The node of these settings; null with a note when they cannot be used. */
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
