export const ELECTRUM_PROTOCOLS = ['TCP', 'SSL', 'WS', 'WSS'] as const;
export type ElectrumProtocol = (typeof ELECTRUM_PROTOCOLS)[number];

/** A server in the form that the trading node takes. `url` is `host:port`, without a scheme. */
export interface ElectrumServer {
	url: string;
	protocol: ElectrumProtocol;
	disable_cert_verification?: boolean | undefined;
}
