/** Imported first by a program that must not use the network, which Node 24 does not limit by a permission. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import net from 'node:net';

const refuse = (): never => {
  throw new Error('This program has no network');
};
net.Socket.prototype.connect = refuse;
net.Server.prototype.listen = refuse;
dgram.Socket.prototype.send = refuse;
dgram.Socket.prototype.bind = refuse;
Object.assign(dns, { lookup: refuse, resolve: refuse });
