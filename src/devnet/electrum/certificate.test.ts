import { X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { selfSigned } from './certificate.ts';

test('the certificate is one that readers of certificates take, for this machine only', () => {
	const { cert, fingerprint } = selfSigned();
	const read = new X509Certificate(cert);
	expect(read.checkHost('localhost')).toBe('localhost');
	expect(read.checkIP('127.0.0.1')).toBe('127.0.0.1');
	expect(read.checkHost('example.org')).toBeUndefined();
	expect(read.verify(read.publicKey)).toBe(true);
	expect(Date.parse(read.validFrom)).toBeLessThan(Date.now());
	expect(Date.parse(read.validTo)).toBeGreaterThan(Date.now() + 365 * 86_400_000);
	expect(read.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(fingerprint);
});

test('it serves TLS, and a client that trusts it connects without further leave', async () => {
	const { cert, key } = selfSigned();
	const server = createServer({ cert, key }, (socket) => socket.end('hello'));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as { port: number };
	const text = await new Promise<string>((resolve, reject) => {
		const socket = connect({ host: '127.0.0.1', port, ca: cert, servername: 'localhost' });
		socket.once('error', reject);
		socket.once('data', (data) => resolve(data.toString()));
	});
	expect(text).toBe('hello');
	server.close();
});
