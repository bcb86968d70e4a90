/** Beginning of the paths of the RPC API; the name of a daemon or trading node follows. */
export const RPC_PATH = '/api/rpc/';
