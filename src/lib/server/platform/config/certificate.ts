import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Returns the certificates of a PEM file, in order. @throws when the file cannot be read or a certificate is
 * invalid
 */
export function certificatesOf(file: string): X509Certificate[] {
	const text = readFileSync(file, 'utf8');
	const parts = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
	return parts.map((part) => new X509Certificate(part));
}
