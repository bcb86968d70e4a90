import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The certificates of a PEM file, in order. @throws when it cannot be read or one of them is none */
export function certificatesOf(file: string): X509Certificate[] {
	const text = readFileSync(file, 'utf8');
	const parts = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
	return parts.map((part) => new X509Certificate(part));
}
